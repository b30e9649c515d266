package server

import (
	"bytes"
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// connections wraps what a listener accepts, and counts what is open. (fasthttp's
// own count is one too low once it has stopped accepting.)
type connections struct {
	net.Listener
	gate *gate
}

// fullPause is the pause after the process ran out of file descriptors.
const fullPause = 20 * time.Millisecond

// Accept implements net.Listener. Running out of file descriptors passes by,
// while fasthttp would take it for the end of the listener.
func (l connections) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		switch {
		case err == nil:
			if let := l.gate.enter(accepted); let != nil {
				return let, nil
			}
			continue
		case !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE):
			return nil, err
		}
		<-time.After(fullPause)
	}
}

// connection remembers how its last request began: one that can't be read to its
// end is answered by its verb, and fasthttp has forgotten it by then.
type connection struct {
	net.Conn
	gate    *gate
	leaveBy time.Time // zero unless it is past MaxConnections
	closed  atomic.Bool
	unread  atomic.Bool // a request was refused before it was read
	isLarge atomic.Bool // holds a place for large requests

	fresh   bool      // the next byte begins a request
	taken   int       // bytes of the request that were read
	begin   [192]byte // the prefix, a family and a verb are far shorter
	length  int
	failure error // of the last Read

	raw     syscall.RawConn       // nil unless plain TCP
	arrived func(fd uintptr) bool // takeFirst, bound once
	buffer  *[firstRead]byte
	early   []byte // of buffer, what came with the first byte
}

// Close implements net.Conn.
func (c *connection) Close() error {
	if c.closed.Swap(true) {
		return c.Conn.Close()
	}
	if c.unread.Load() {
		c.linger()
	}
	err := c.Conn.Close()
	c.giveBack()
	c.gate.open.Add(-1)
	return err
}

// Read implements net.Conn.
func (c *connection) Read(p []byte) (n int, err error) {
	switch {
	case len(c.early) > 0:
		n = c.readEarly(p)
	case c.fresh && len(p) == 1 && c.raw != nil:
		n, err = c.readFirst(p)
	default:
		if err = c.admit(len(p)); err == nil {
			n, err = c.Conn.Read(p)
		}
	}
	c.note(p[:n])
	c.failure = err
	return n, err
}

// note remembers the beginning of a request.
func (c *connection) note(p []byte) {
	if c.fresh && len(p) > 0 {
		c.fresh, c.length, c.taken = false, 0, 0
	}
	c.taken += len(p)
	c.length += copy(c.begin[c.length:], p)
}

// target is the URI of the last request as far as it is remembered.
func (c *connection) target() []byte {
	_, after, _ := bytes.Cut(c.begin[:c.length], []byte(" "))
	target, _, _ := bytes.Cut(after, []byte(" "))
	return target
}

// hungUp tells whether the client closed its end: it reads nothing, it looks.
func (c *connection) hungUp() bool {
	socket, ended := c.Conn, endOfPlain
	if layer, ok := c.Conn.(*tls.Conn); ok {
		socket, ended = layer.NetConn(), endOfSecured
	}
	raw, ok := socket.(syscall.Conn)
	if !ok {
		return false
	}
	control, err := raw.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = control.Control(func(fd uintptr) { closed = ended(int(fd)) })
	return err == nil && closed
}

// endOfPlain tells whether the next thing to read from a socket is its end.
func endOfPlain(fd int) bool {
	var one [1]byte
	n, _, err := syscall.Recvfrom(fd, one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	return n == 0 && err == nil || errors.Is(err, syscall.ECONNRESET)
}
