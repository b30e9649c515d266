// Package number answers what the table numbers knows of a phone number. Its
// rule stands here once, for every door and the command line:
//
//   - the given tenant is asked first, then the shared one, whose name is "";
//   - a number with enabled = no is unknown to those who ask for its codecs;
//     those who ask for the row see it.
//
// Numbers are compared as they are written.
package number
