// Package kit writes a ready set of Asterisk configuration files that ask
// Asterism: one folder for one version of Asterisk and one engine. The files are
// templates; their comments are the manual for whoever opens them.
//
// Why each setting is as it is stands beside it. A family is mapped when the
// version has a module that asks for it and no trap comes with it.
//
// Invariant: package doctor finds nothing in what is written.
package kit
