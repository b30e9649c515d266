// Package absent counts what clients ask for and isn't there: a phone that
// nobody provisioned, a misspelled mapping, a scanner that tries names. It keeps
// the most asked keys of the last minute for each client, in memory that does
// not grow with what strangers send.
//
// Per client and minute there is a Space-Saving sketch (Metwally, Agrawal, El
// Abbadi 2005): a fixed number of keys with counts; a key that is new takes the
// place of the least asked one and inherits its count as a possible error.
// What is told is the count without that error: never too high, and exact for a
// key that came before its client's places were all taken. A key asked more often
// than one in [KeysPerClient] misses of its client in a minute is among them for certain.
package absent
