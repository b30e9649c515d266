package server

import (
	"bytes"
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
	open *atomic.Int64
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
			l.open.Add(1)
			return &connection{Conn: accepted, open: l.open}, nil
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
	open   *atomic.Int64
	closed atomic.Bool
	begin  [192]byte // the prefix, a family and a verb are far shorter
	length int
}

// Close implements net.Conn.
func (c *connection) Close() error {
	if !c.closed.Swap(true) {
		c.open.Add(-1)
	}
	return c.Conn.Close()
}

// Read implements net.Conn.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if bytes.HasPrefix(p[:n], []byte("POST ")) || bytes.HasPrefix(p[:n], []byte("GET ")) {
		c.length = copy(c.begin[:], p[:n])
	}
	return n, err
}

// target is the URI of the last request as far as it is remembered.
func (c *connection) target() []byte {
	_, after, _ := bytes.Cut(c.begin[:c.length], []byte(" "))
	target, _, _ := bytes.Cut(after, []byte(" "))
	return target
}

// hungUp tells whether the client closed its end: it reads nothing, it looks.
func (c *connection) hungUp() bool {
	raw, ok := c.Conn.(syscall.Conn)
	if !ok {
		return false
	}
	control, err := raw.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = control.Control(func(fd uintptr) {
		var one [1]byte
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		closed = n == 0 && err == nil || errors.Is(err, syscall.ECONNRESET)
	})
	return err == nil && closed
}
