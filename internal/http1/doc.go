// Package http1 serves HTTP/1.0 and 1.1 (RFC 9112) to the Asterisk-facing doors. It
// knows requests with a body in memory and answers, and nothing of what is asked.
//
// It exists because the transport was most of what an answer cost: a general
// server spends a goroutine, three timers and 20 KB on a connection that sends one
// small request after the other (docs/bench.md has the figures).
//
// # Words
//
//   - loop: a goroutine with an epoll set of its own. It reads what has come, has it
//     answered and writes, for all of its connections in turn;
//   - quick: a question that is answered from memory in microseconds. The loop asks
//     the [Handler] for it; one that says no is asked again by a goroutine, where it
//     may take its time (writes, listings);
//   - wait: a slow answer that is long in coming, since it waits for something to
//     happen ([Request].Wait). It takes no place from those who only are slow;
//   - refusal: what is said when a request never became one or is past a limit; the
//     Handler says it in its wire's own way.
//
// # Invariants
//
//   - A connection belongs to one loop, or to one goroutine while it is answered
//     slowly; what it holds is never touched by two at a time.
//   - Between requests a connection holds no buffer.
//   - Answers come in the order of their requests. After a refusal the connection
//     ends, so that nothing of what follows is taken for a request.
//   - What a limit allows has a name in [Limits]; what a request holds in memory
//     grows with what was received, not with what was announced.
//   - Connections with TLS are served by a goroutine each, over crypto/tls, with
//     the same reading and the same answers.
package http1
