// Package feed follows the store: it reads the change log, reads the rows that
// it names, and publishes them in the directory. It is the only publisher of
// what SQL says.
//
// Invariants:
//
//   - a start takes its position in the log before it reads the first table, so
//     no change is missed;
//   - entries may be read twice or out of order: only the rows' present state is
//     published, by key;
//   - a read of rows and its publication happen under one lock, so an older read
//     never overwrites a newer one; only a whole family is read beside it: it
//     begins under the lock, and the directory keeps what was published meanwhile;
//   - where very many keys of a family are pending it is read as a whole, and its
//     entries up to that read's moment are moot;
//   - a family whose table is gone or changed is passed over; it never stops the
//     others;
//   - what no trigger sees (a swapped table, REPLACE on a second unique key) is
//     found by the scrub, hourly, on demand, and when the schema changes.
package feed
