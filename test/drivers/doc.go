// Command drivers measures what one Asterisk costs by where its phones stand: in
// files, in PostgreSQL over res_config_pgsql and res_config_odbc, and in Asterism
// over stock res_config_curl, in one run on one machine. It writes
// docs/bench-asterisk.md.
//
// Words: a driver is how an Asterisk gets its configuration, a case is a driver
// with its settings, a population is the phones and numbers that all have. Each case
// boots an Asterisk some times and loads the last; it is calm when it has nothing left
// to do, and only then a load begins and its costs are read.
package main
