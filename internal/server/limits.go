package server

import "time"

// Limits of the Asterisk-facing listener. docs/limits.md says what happens past
// each; a test holds that the table has them all.
const (
	MaxConnections   = 16_384 // open at once; past it 503
	MaxRefusals      = 256    // of those past it that are told so; further ones are closed at once
	MaxInFlight      = 2048   // requests being answered; past it 503
	MaxHeader        = 16 << 10
	MaxHeaderFields  = 100
	MaxBody          = 1 << 20
	LargeRequest     = 32 << 10 // bytes from which a request takes one of the places for large ones
	MaxLargeRequests = 64       // being read or answered at once: 64 MiB of bodies
	MaxRequests      = 100_000  // on one connection; its last answer says that it closes

	SlowSender      = 10 * time.Second  // for one whole request to arrive
	SlowReader      = time.Minute       // for one whole answer to be taken
	IdleTimeout     = 150 * time.Second // between requests; libcurl reuses connections idle up to 118 s
	RefusalPatience = time.Second       // for the request of a connection past MaxConnections
)

// A request that is refused before it was read is followed by what the client
// still sends: closing at once would reset the connection, and the refusal with it.
const (
	lingerTime  = time.Second
	lingerBytes = 1 << 20
)

// bounds are the limits that tests make smaller.
type bounds struct {
	connections, refusals, large int64
	patience                     time.Duration
}

// usual are the limits that hold.
func usual() bounds {
	return bounds{MaxConnections, MaxRefusals, MaxLargeRequests, RefusalPatience}
}
