package server

import (
	"time"

	"asterism/internal/http1"
)

// Limits of the Asterisk-facing listener. docs/limits.md says what happens past
// each; a test holds that the table has them all.
const (
	MaxConnections   = 16_384 // open at once; past it 503
	MaxRefusals      = 256    // of those past it that are told so; further ones are closed at once
	MaxSlow          = 2048   // writes, listings and scans being answered; past it 503
	MaxWatches       = 4096   // Watch that wait for changes, beside these; past it 503
	MaxHeader        = 16 << 10
	MaxHeaderFields  = 100
	MaxBody          = 1 << 20
	LargeRequest     = 32 << 10  // bytes from which a request takes one of the places for large ones
	MaxLargeRequests = 32        // being read at once: 32 MiB of bodies
	MaxRequests      = 1_000_000 // on one connection; its last answer says that it closes

	HandshakeTimeout = 5 * time.Second   // to agree on TLS; no longer than a drain waits
	SlowSender       = 10 * time.Second  // for one whole request to arrive
	SlowReader       = time.Minute       // for one whole answer to be taken
	IdleTimeout      = 150 * time.Second // between requests; libcurl reuses connections idle up to 118 s
	RefusalPatience  = time.Second       // for the request of a connection past MaxConnections
	LingerTime       = time.Second       // for what a client still sends after a refusal
)

func limits() http1.Limits {
	return http1.Limits{
		Header: MaxHeader, Fields: MaxHeaderFields, Body: MaxBody, Large: LargeRequest, LargeAtOnce: MaxLargeRequests,
		Slow: MaxSlow, Waiting: MaxWatches, Requests: MaxRequests, Connections: MaxConnections, Refusals: MaxRefusals,
		Handshake: HandshakeTimeout, Sender: SlowSender, Reader: SlowReader, Idle: IdleTimeout, Patience: RefusalPatience, Linger: LingerTime,
	}
}
