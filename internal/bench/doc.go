// Package bench asks a server for the codecs of random phone numbers and
// reports how fast it answered and what that cost.
//
// It repeats the experiment that the product grew out of: 1, 2 and 4 client
// processes, each in a closed loop, so one request in flight per process. The
// server may be ours or any other that answers the same request, such as nginx
// with a fixed answer or a gSOAP server.
//
// Words:
//   - plan: what to measure, as a person asked for it.
//   - round: one entry of the plan's process counts, measured on its own.
//   - client process: a process of its own that asks, because the load of one
//     process with many threads is not the load of many Asterisk servers.
//   - job: what a client process is told; report: what it answers.
//   - answer: a response with status 200 and, where the file of numbers has a
//     column codecs, exactly those codecs. Everything else is an error.
//   - door: which of the server's protocols is asked, soap or curl.
//
// There are two client programs, and both talk alike with their parent: the job
// is their command line options, {"ready":true} is what they say on standard
// output once all is prepared, any line on standard input is their start, and
// their report is one object of JSON. All processes are ready before any one of
// them starts.
//   - go: Client, in this package. It burns little, so it measures the server.
//   - gsoap: examples/gsoap, in C, with stubs that gSOAP makes from the WSDL of
//     the server asked; the client of the first experiment, built by BuildGSOAP.
//
// Invariants:
//   - every request that a plan asks for ends as an answer or as an error;
//   - an error is never part of the rate or of the latencies, so a server that
//     refuses quickly does not look fast;
//   - no client process outlives Run.
//
// The curl door speaks what res_config_curl of Asterisk 16 to 23 sends for the
// verb "single"; the soap door what a client made by gSOAP 2.8 sends, SOAP 1.1
// document/literal. Client CPU, memory and the server's CPU are read from the
// Linux kernel (getrusage, /proc).
package bench
