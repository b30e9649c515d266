package http1

import "time"

// Limits of a server. All must be set.
type Limits struct {
	Header      int // bytes of the request line and all header fields
	Fields      int // header fields
	Body        int // bytes of a body
	Large       int // bytes from which a request takes one of the places for large ones
	LargeAtOnce int // such places
	Slow        int // requests that goroutines answer at once
	Waiting     int // requests that wait for something, beside these
	Requests    int // on one connection; its last answer says that it closes
	Connections int // open at once
	Refusals    int // of those past Connections that are told so; further ones are closed at once

	Handshake time.Duration // to agree on TLS
	Sender    time.Duration // for one whole request to arrive
	Reader    time.Duration // for one whole answer to be taken
	Idle      time.Duration // between requests
	Patience  time.Duration // for the request of a connection past Connections
	Linger    time.Duration // for what a client still sends after a refusal
}

// lingerBytes bounds what is read after a refusal.
const lingerBytes = 1 << 20

// Refusal is why a request is not answered: an HTTP status and a reason, which is
// one of few and may name a metric.
type Refusal struct {
	Status int
	Reason string
}

// The refusals of this package.
var (
	Malformed          = &Refusal{400, "malformed request"}
	TooSlow            = &Refusal{408, "request too slow"}
	BodyTooLarge       = &Refusal{413, "body too large"}
	UnknownExpectation = &Refusal{417, "unknown expectation"}
	HeaderTooLarge     = &Refusal{431, "header too large"}
	TooManyFields      = &Refusal{431, "too many header fields"}
	UnknownCoding      = &Refusal{501, "unknown transfer coding"}
	Overload           = &Refusal{503, "overload"}
	TooManyConnections = &Refusal{503, "too many connections"}
	TooManyLarge       = &Refusal{503, "too many large requests"}
	UnknownVersion     = &Refusal{505, "unknown HTTP version"}
)

// These are counted, but nobody can be told.
var (
	NotTaken        = &Refusal{0, "answer not taken"}
	NoTLS           = &Refusal{0, "no tls"}
	HandshakeFailed = &Refusal{0, "tls handshake"}
)
