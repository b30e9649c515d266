package server

import (
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"asterism/internal/meter"
)

// gate counts what the connections of a listener hold, and refuses what is past
// the limits.
type gate struct {
	bounds
	open     atomic.Int64 // connections
	large    atomic.Int64 // large requests being read or answered
	rejected *meter.Vector
	first    sync.Pool // of *[firstRead]byte
}

// Reasons that the gate counts.
const (
	tooManyConnections   = "too many connections"
	tooManyLargeRequests = "too many large requests"
	answerNotTaken       = "answer not taken"
)

var errTooManyLarge = errors.New(tooManyLargeRequests)

// enter lets a connection in. One past the limit is let in to be told so, as
// what it asks decides how; nil when not even that.
func (g *gate) enter(accepted net.Conn) *connection {
	open := g.open.Add(1)
	if open > g.connections+g.refusals {
		g.open.Add(-1)
		g.rejected.With(tooManyConnections).Add(1)
		_ = accepted.Close()
		return nil
	}
	c := &connection{Conn: accepted, gate: g, fresh: true}
	if open > g.connections {
		c.leaveBy = time.Now().Add(g.patience)
	}
	if tcp, ok := accepted.(*net.TCPConn); ok {
		if raw, err := tcp.SyscallConn(); err == nil {
			c.raw, c.arrived = raw, c.takeFirst
		}
	}
	return c
}

// surplus tells whether a connection is past the limit.
func (c *connection) surplus() bool { return !c.leaveBy.IsZero() }

// SetReadDeadline implements net.Conn. A connection past the limit gets a short
// one whatever is set.
func (c *connection) SetReadDeadline(at time.Time) error {
	if c.surplus() && (at.IsZero() || at.After(c.leaveBy)) {
		at = c.leaveBy
	}
	return c.Conn.SetReadDeadline(at)
}

// Write implements net.Conn; it counts answers that the client does not take.
func (c *connection) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if isTimeout(err) {
		c.gate.rejected.With(answerNotTaken).Add(1)
	}
	return n, err
}

// admit takes one of the places for large requests before as many more bytes of
// a request are read. A body's memory is taken as soon as it is announced.
func (c *connection) admit(more int) error {
	if c.taken+more <= LargeRequest || c.isLarge.Load() {
		return nil
	}
	if c.gate.large.Add(1) > c.gate.bounds.large {
		c.gate.large.Add(-1)
		return errTooManyLarge
	}
	c.isLarge.Store(true)
	return nil
}

// answered makes ready for the next request.
func (c *connection) answered() {
	if c == nil {
		return
	}
	c.fresh, c.taken, c.length = true, 0, 0
	c.giveBack()
}

func (c *connection) giveBack() {
	if c.isLarge.CompareAndSwap(true, false) {
		c.gate.large.Add(-1)
	}
}

// linger reads on for a while after a refusal: see lingerTime.
func (c *connection) linger() {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil || c.Conn.SetReadDeadline(time.Now().Add(lingerTime)) != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, c.Conn, lingerBytes) // what comes does not matter any more
}
