// Package store is the SQL store, the truth: it creates and migrates the
// schema, keeps the triggers that write the change log, reads rows, and writes
// what people and Asterisk change.
//
// Words:
//
//	change log  table asterism_changes: the key of every row that anybody
//	            changed, filled by triggers
//	extra       a value whose column the family's table lacks (asterism_extra)
//	reader      one read transaction: log and rows at one moment
//	journal     file of a node's spool, a SQLite file of its own
//	refused     SQL refuses the row itself (constraint, type, length); trying
//	            again can't help, unlike when the store can't be asked
//
// Texts here are in the form that SQL holds: several values joined by ";",
// "^3B" for a semicolon. Package family converts.
//
// Differences between engines live in dialect_*.go files only. SQLite: one
// writing connection whose transactions begin IMMEDIATE, a pool of readers, WAL,
// synchronous=FULL, so that what was acknowledged survives a power cut.
package store
