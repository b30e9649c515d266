// Package spool takes what Asterisk itself writes (contacts, queue pauses,
// queue_log, voicemail data), acknowledges it once it is durable on this node
// and in memory, and flushes it to SQL in batches.
//
// The way of a write:
//
//	journal (fsync, shared among writers that wait together)
//	-> directory overlay -> answer -> flusher -> SQL -> read back -> overlay ends
//
// Invariants:
//
//   - what was acknowledged is in the journal or, when the disk is full, counted
//     as undurable and still flushed;
//   - the flusher writes the columns that were written and no others, in order,
//     and notes its position in the same SQL transaction: nothing is lost and
//     nothing twice, whenever the process dies;
//   - a row that SQL refuses is set aside, noted before the rest is committed,
//     served from memory, counted; the rest goes on. The next write to the row
//     tries all of it again, as one write;
//   - what goes straight to SQL waits until older writes of its family are there
//     (Settle);
//   - an expired contact is kept for keptExpired after it was first seen expired
//     (Asterisk's own expiry must find it), then swept.
package spool
