// Package cli is the command line: it reads arguments, asks the packages below
// and prints what they answer. Rules about families, rows and values stand in
// package control; a command only translates.
//
// Words:
//
//	FAMILY  a table as Asterisk sees it, or an alias of it
//	KEY     the family's key, its columns joined by ","; a comma inside as %2C,
//	        ";" means ^3B; of numbers the tenant may be left out
//	VALUE   SQL's text as it stands: ";" between several values, "^3B" for a
//	        semicolon inside one
//
// Exit codes: 0 fine, 1 failed or absent, 2 wrong usage.
//
// Answers go to standard output, all else to standard error, so that what a
// script reads is never mixed with a remark. Errors are "asterism: what went
// wrong", with "hint: what mends it" on a line of its own.
//
// Commands that ask or change people's data work on the store itself, whether or
// not a node serves. A command that changes returns once the serving node of this
// machine shows the change.
package cli
