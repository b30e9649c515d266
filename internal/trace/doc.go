// Package trace tells live what Asterisk asks and what it gets: the answer to
// "what does it ask about phone 6001?" at three in the morning.
//
// A door hands an [Exchange] to [Tracers] only while somebody traces; else the
// question costs one atomic load more. A [Tracer] picks what its [Filter] names
// and keeps it as a [Line] in a bounded queue until its reader takes it. A
// reader that is too slow loses lines, and is told how many; it never makes an
// answer wait.
//
// Words:
//
//	exchange  one question with its answer, or one write with its count
//	line      what is told of an exchange: a copy, cut to length, without secrets
package trace
