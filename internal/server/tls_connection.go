package server

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"syscall"
	"time"

	"asterism/internal/access"
)

// HandshakeTimeout is how long a client may take to agree on TLS. It is no longer
// than a drain waits.
const HandshakeTimeout = 5 * time.Second

// secured is a connection with TLS. fasthttp takes a connection for one by the
// methods Handshake and ConnectionState, and calls Handshake in the connection's
// own goroutine, so that a slow client keeps no other from being accepted.
type secured struct {
	*connection // its Conn is the *tls.Conn: what is read there is the request

	layer   *tls.Conn
	subject access.Subject                 // of the client's certificate
	refused func(reason string, err error) // told of a handshake that failed
	failed  bool
}

// Handshake agrees on TLS, or ends the connection: whoever speaks no TLS could
// only take an answer for something that it is not.
func (c *secured) Handshake() error {
	ctx, cancel := context.WithTimeout(context.Background(), HandshakeTimeout)
	defer cancel()
	err := c.layer.HandshakeContext(ctx)
	if err == nil {
		c.subject = subjectOf(c.layer.ConnectionState())
		return c.SetDeadline(time.Time{})
	}
	c.failed = true
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &plain) && plain.Conn != nil:
		c.refused("no tls", err)
	case !errors.Is(err, io.EOF): // a probe that only connects is none
		c.refused("tls handshake", err)
	}
	return errors.Join(err, c.Close())
}

// Read gives an end after a failed handshake, for which fasthttp has no answer.
func (c *secured) Read(p []byte) (int, error) {
	if c.failed {
		return 0, io.EOF
	}
	return c.connection.Read(p)
}

// ConnectionState tells what was agreed on.
func (c *secured) ConnectionState() tls.ConnectionState { return c.layer.ConnectionState() }

// subjectOf is the subject of the certificate that the client showed. One whose
// spelling can't be read is nobody's.
func subjectOf(state tls.ConnectionState) access.Subject {
	if len(state.VerifiedChains) == 0 {
		return ""
	}
	subject, err := access.ParseSubject(state.VerifiedChains[0][0].Subject.String())
	if err != nil {
		return ""
	}
	return subject
}

// endOfSecured tells whether the other end of a socket has closed its side,
// whatever is still to be read: TLS says goodbye in a record of its own first.
func endOfSecured(fd int) bool {
	const established = 1 // TCP_ESTABLISHED of the kernel's tcp_states.h
	begin, err := syscall.GetsockoptInet4Addr(fd, syscall.IPPROTO_TCP, syscall.TCP_INFO)
	return err == nil && begin[0] != established // tcp_info begins with the state
}
