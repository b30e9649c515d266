// Command peers measures Asterism beside what people would compare it with, in
// one run on one machine, and writes docs/bench.md: nginx answering a constant
// of the same bytes, a server made with gSOAP answering a constant, the sizes of
// the directory, and clients made with gSOAP beside the first experiment of 2004.
//
// Words: a peer is a server under measurement, a wire is how it is asked, a run
// is one start of wrk with the figures that come of it.
//
// What is compared is measured in alternation, A B C A B C A B C, so that a slow
// minute of the machine hits all. The figure is the median, beside it the range.
// Server CPU comes from the kernel (user and system time of all processes that
// listen), so it holds although the load generator shares the cores.
package main
