// Package control is every change, once: what Asterisk writes through any door
// (Asterisk) and what people change by command or API (People).
//
// A write of Asterisk is volatile when all its columns are (package family says
// which); then it goes through the spool and is answered as soon as it is
// durable on this node and visible. All else goes straight to SQL and is
// answered once readers of this node see it.
//
// Answers count rows that matched, whether or not their values changed: a 0 for
// a contact that is there makes Asterisk delete it.
package control
