// Package asteriskconf reads Asterisk's .conf files the way Asterisk does:
// sections, templates, inheritance, additions, includes, comments.
//
// Words:
//
//	folder     astetcdir, where relative names are looked for
//	section    what stands below one [name]; Asterisk says category
//	template   a section marked (!): others inherit from it, no module sees it
//	addition   [name](+) or [name](+type=x): more lines for an earlier section
//	note       what a person should know of a line, with its position
//
// What a line means was read from Asterisk's main/config.c (16 to 22). Where
// Asterisk stops at a fault and reads nothing of the file, a note of level Error
// says so and reading goes on, so that all faults come at once.
//
// #exec is reported and never run.
//
// Invariants: a File is never changed after it was read; every section and
// variable knows the file and line that it came from; depth, files and bytes of
// what is included are bounded.
package asteriskconf
