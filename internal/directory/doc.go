// Package directory holds every family in memory, indexed, and answers from
// there: a read never waits for a database, a lock or a writer.
//
// Words:
//
//	row        one immutable block of bytes: its prepared curl form, and its
//	           values as slices of it
//	bucket     all rows that share one key; what the change log names
//	table      one family's rows with their indexes, immutable
//	view       all tables at one moment, under one root pointer
//	history    which buckets changed lately, as far back as there is room
//	listing    the answer to the question for all rows of a PJSIP table, which a
//	           policy may shorten; no other answer is
//	condition  column, operator, value; all of a query's conditions must hold
//	base       what SQL says of a bucket
//	overlay    what this node acknowledged and has not yet flushed to SQL,
//	           laid over the base
//
// How a change is published: the structures below the root are persistent (a
// hash table of our own for equality, a path-copying B-tree for order), so a
// change copies the few nodes on its path and swaps the root. Readers of the
// old view go on undisturbed.
//
// Invariants, each held by a test: applying changes one by one equals building
// from scratch; a published view never changes; a reader after its own write
// sees it; what Find answers equals a plain scan of all rows; a bucket that
// differs between two views is among the changes from the one to the other.
//
// Semantics of comparisons, in one place:
//
//   - numbers compare numerically in integer and float columns, all else
//     bytewise; a value that is no number sorts after the numbers;
//   - an absent value (NULL and empty are the same here) matches only `= ”`,
//     unless the column is required: there it compares as the empty string;
//   - several values of a column compare as one text, joined by ";";
//   - LIKE is case-sensitive, `%` any, `_` one character, `\` escapes.
package directory
