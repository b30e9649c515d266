// Package family is the table of Asterisk families: for each SQL table that
// Asterisk asks for, its columns with types, its key, the order in which its
// columns answer, what Asterisk asks of it (and so which indexes pay), and
// which of its values Asterisk itself writes.
//
// Words:
//
//	family    one SQL table as Asterisk sees it, by its table name
//	key       the columns that name a bucket of rows in the change log,
//	          the CLI and caches; not always the table's primary key
//	volatile  written by Asterisk at call or registration time; such values
//	          are acknowledged from this node and flushed to SQL later
//	verbatim  a family whose values are never split at ";" or decoded
//
// The facts are the plain text files under tables/, one line per column.
// They were read from Asterisk's own schema (contrib/ast-db-manage of the
// branches 16 to 23) and, for tables that only its C code knows, from the
// modules that ask for them.
//
// Invariants: a family is never modified after it was parsed; column order in
// Columns is the table's, Reply gives the order of answers, in which disallow
// stands before allow, deny before permit and contactdeny before
// contactpermit, since Asterisk applies them in the order of the answer.
package family
