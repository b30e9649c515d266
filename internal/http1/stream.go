package http1

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// stream is a connection with TLS, served by a goroutine.
type stream struct {
	server  *Server
	conn    *tls.Conn
	surplus bool
	inbound
	pending
	requests int
	kept     any         // by the handler
	idle     atomic.Bool // waits for a request
}

// serveStreams accepts until the listener is closed.
func (s *Server) serveStreams(listener net.Listener) error {
	for {
		accepted, err := listener.Accept()
		switch {
		case err == nil:
		case errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE):
			<-time.After(fullPause)
			continue
		case errors.Is(err, net.ErrClosed):
			return nil
		default:
			return err
		}
		surplus, in := s.enter()
		if !in {
			_ = accepted.Close()
			continue
		}
		c := &stream{server: s, conn: tls.Server(accepted, s.TLS), surplus: surplus}
		s.mu.Lock()
		if s.streams == nil {
			s.streams = make(map[*stream]bool)
		}
		s.streams[c] = true
		s.mu.Unlock()
		go c.run()
	}
}

func (c *stream) run() {
	defer c.leave()
	if !c.agree() {
		return
	}
	x := exchanges.Get().(*exchange)
	defer x.give(keptBuffer)
	state := c.conn.ConnectionState()
	x.request.TLS, x.request.HungUp, x.request.Kept = &state, c.hungUp, &c.kept
	if address, ok := c.conn.RemoteAddr().(*net.TCPAddr); ok {
		x.request.Remote = netip.AddrPortFrom(address.AddrPort().Addr().Unmap(), address.AddrPort().Port())
	}
	for c.exchange(x) {
	}
}

// agree agrees on TLS.
func (c *stream) agree() bool {
	s := c.server
	patience := s.Limits.Handshake
	if c.surplus {
		patience = min(patience, s.Limits.Patience)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := c.conn.HandshakeContext(ctx)
	if err == nil {
		return true
	}
	why := HandshakeFailed
	var plain tls.RecordHeaderError
	switch {
	case errors.Is(err, io.EOF): // a probe that only connects
		return false
	case errors.As(err, &plain) && plain.Conn != nil:
		why = NoTLS
	}
	s.Handler.Dropped(why)
	s.Log.Debug("a connection did not agree on TLS", "client", c.conn.RemoteAddr().String(), "error", err)
	return false
}

func (c *stream) leave() {
	_ = c.conn.Close()
	c.keep(c.server, nil)
	s := c.server
	s.mu.Lock()
	delete(s.streams, c)
	s.mu.Unlock()
	s.open.Add(-1)
}

// exchange reads one request and answers it; false: the connection ends.
func (c *stream) exchange(x *exchange) bool {
	f, refusal := c.receive(x)
	switch {
	case refusal != nil:
		c.refuse(x, refusal)
		return false
	case f.taken == 0:
		return false // the client went away
	case c.surplus:
		c.refuse(x, TooManyConnections)
		return false
	}
	s := c.server
	x.response.reset()
	place := &stay{server: s}
	if s.slow.Add(1) > int64(s.Limits.Slow) {
		s.Handler.Refuse(&x.request, &x.response, Overload)
	} else {
		x.request.Wait = place.wait
		s.Handler.Answer(&x.request, &x.response, false)
	}
	place.leave()
	c.requests++
	s.finish(&x.response, &x.request, c.requests)
	if err := c.send(x); err != nil {
		return false
	}
	c.keep(c.server, c.in[f.taken:])
	return !x.response.Close
}

// receive reads until a whole request is there.
func (c *stream) receive(x *exchange) (f frame, refusal *Refusal) {
	limits := &c.server.Limits
	deadline := time.Now().Add(limits.Idle)
	if c.surplus {
		deadline = time.Now().Add(limits.Patience)
	}
	started := false
	var buffer [4096]byte
	for {
		var kept int
		f, kept, refusal = c.next(c.in, &x.request, limits)
		if f.taken > 0 || refusal != nil {
			return f, refusal
		}
		c.in = c.in[:kept]
		if c.waits(&x.request) {
			if _, err := c.conn.Write([]byte(continueHead)); err != nil {
				return f, nil
			}
		}
		if !started && begun(c.in) {
			started, deadline = true, time.Now().Add(limits.Sender)
		}
		n, err := c.read(buffer[:], deadline, !started)
		switch {
		case n > 0:
		case errors.Is(err, os.ErrDeadlineExceeded) && c.surplus:
			return f, TooManyConnections
		case errors.Is(err, os.ErrDeadlineExceeded) && started:
			return f, TooSlow
		case started && errors.Is(err, io.EOF):
			return f, Malformed // it broke off, and the client may still read
		default:
			return f, nil
		}
		c.in = append(c.in, buffer[:n]...)
		if !c.admit(c.server) {
			return f, TooManyLarge
		}
	}
}

func (c *stream) read(into []byte, deadline time.Time, idle bool) (int, error) {
	if err := c.conn.SetReadDeadline(deadline); err != nil {
		return 0, err
	}
	if idle {
		c.idle.Store(true)
		defer c.idle.Store(false)
	}
	return c.conn.Read(into)
}

// send writes the answer of an exchange.
func (c *stream) send(x *exchange) error {
	err := c.conn.SetWriteDeadline(time.Now().Add(c.server.Limits.Reader))
	if err != nil {
		return err
	}
	x.out = x.response.append(x.out[:0], &x.request)
	_, err = c.conn.Write(x.out)
	if err == nil && x.response.Stream != nil && string(x.request.Method) != "HEAD" {
		to := bufio.NewWriterSize(c.conn, readAtOnce)
		err = errors.Join(x.response.Stream(to), to.Flush())
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.server.Handler.Dropped(NotTaken)
	}
	return err
}

// refuse answers with a refusal and reads on for a while: to close at once would
// reset the connection, and the refusal with it.
func (c *stream) refuse(x *exchange, why *Refusal) {
	x.request.reset()
	x.request.Target = targetOf(c.in)
	x.response.reset()
	c.server.Handler.Refuse(&x.request, &x.response, why)
	x.response.Close = true
	if c.send(x) != nil || c.conn.CloseWrite() != nil || c.conn.SetReadDeadline(time.Now().Add(c.server.Limits.Linger)) != nil {
		return
	}
	var buffer [4096]byte
	for read := 0; read < lingerBytes; {
		n, err := c.conn.Read(buffer[:])
		if err != nil {
			return
		}
		read += n
	}
}

// endIdle ends the connection if it waits for a request.
func (c *stream) endIdle() {
	if c.idle.Load() {
		_ = c.conn.SetReadDeadline(time.Unix(1, 0)) // it ends as one that was idle too long
	}
}

// hungUp tells whether the client went away.
func (c *stream) hungUp() bool {
	raw, ok := c.conn.NetConn().(syscall.Conn)
	if !ok {
		return false
	}
	control, err := raw.SyscallConn()
	if err != nil {
		return false
	}
	ended := false
	err = control.Control(func(fd uintptr) { ended = goneOverTLS(int(fd)) })
	return err == nil && ended
}
