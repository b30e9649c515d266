package http1

import (
	"net/netip"
	"syscall"
	"time"
)

// connection is a plain connection, served by a loop.
type connection struct {
	fd      int
	loop    *loop
	remote  netip.AddrPort
	surplus bool // past the limit: to be told so

	inbound
	pending
	out      []byte // what could not be written yet
	waiting  frame  // a whole request at the beginning of in, to be answered slowly
	requests int
	kept     any  // by the handler
	closing  bool // ends when out is written
	rude     bool // ends by lingering: the client may still be sending
	lingered int  // bytes read since; the connection lingers when not 0

	busy     bool          // a goroutine answers it
	writable chan struct{} // tells that goroutine
	broken   bool          // said by that goroutine

	list           *deadlines
	before, behind *connection
	since          time.Duration
}

// happened is called when there is something to read or room to write.
func (c *connection) happened(events uint32) {
	switch {
	case c.busy:
		select {
		case c.writable <- struct{}{}:
		default:
		}
	case len(c.out) > 0:
		c.flush()
	default:
		c.read()
	}
}

func (c *connection) read() {
	l := c.loop
	n, errno := receive(c.fd, l.in)
	switch {
	case errno == syscall.EAGAIN || errno == syscall.EINTR:
		return
	case errno != 0 || n == 0 && (c.lingered > 0 || !begun(c.in)):
		c.end()
		return
	case n == 0:
		c.refuseNow(Malformed) // it broke off, and the client may still read
		return
	case c.lingered > 0:
		if c.lingered += n; c.lingered > lingerBytes {
			c.end()
		}
		return
	}
	data := l.in[:n]
	if len(c.in) > 0 {
		c.in = append(c.in, data...)
		data = c.in
	}
	c.serve(data)
}

// serve answers all whole requests in data and keeps what is left.
func (c *connection) serve(data []byte) {
	l := c.loop
	l.out = l.out[:0]
	for len(data) > 0 && !c.closing {
		l.request.Remote, l.request.Kept = c.remote, &c.kept
		f, kept, refusal := c.next(data, &l.request, &l.server.Limits)
		switch {
		case refusal != nil:
			c.refuse(data, refusal)
			data = nil
		case f.taken == 0:
			c.await(data[:kept])
			c.write(l.out)
			return
		case c.surplus:
			c.refuse(data, TooManyConnections)
			data = data[f.taken:]
			c.rude = false // all of it was read
		case c.answer():
			data = data[f.taken:]
		default:
			c.keep(c.loop.server, data)
			c.waiting = f
			c.write(l.out)
			return
		}
		if len(l.out) > writeAtOnce {
			c.keep(c.loop.server, data)
			c.write(l.out)
			return
		}
	}
	c.rude = c.rude || len(data) > 0
	c.keep(c.loop.server, nil)
	c.write(l.out)
}

// answer has the request of the loop answered if that is quick.
func (c *connection) answer() bool {
	l := c.loop
	l.response.reset()
	if !l.server.Handler.Answer(&l.request, &l.response, true) {
		return false
	}
	c.requests++
	l.server.finish(&l.response, &l.request, c.requests)
	c.closing = l.response.Close
	l.out = l.response.append(l.out, &l.request)
	if cap(l.response.Body) > keptBuffer {
		l.response.Body = nil
	}
	return true
}

// await keeps the beginning of a request until more has come.
func (c *connection) await(data []byte) {
	l := c.loop
	c.keep(c.loop.server, data)
	if !c.admit(l.server) {
		c.refuse(data, TooManyLarge)
		return
	}
	if c.waits(&l.request) {
		l.out = append(l.out, continueHead...)
	}
	if c.list != &l.sender && c.list != &l.surplus && begun(data) {
		l.sender.wait(c, l.now)
	}
}

// refuse answers with a refusal, after which the connection ends. data is what has
// come of the request.
func (c *connection) refuse(data []byte, why *Refusal) {
	l := c.loop
	l.request.reset()
	l.request.Target = targetOf(data)
	l.response.reset()
	l.server.Handler.Refuse(&l.request, &l.response, why)
	l.response.Close = true
	l.out = l.response.append(l.out, &l.request)
	c.closing, c.rude = true, true
	c.keep(c.loop.server, nil)
}

// refuseNow refuses while the connection waits for something. One that has asked
// nothing just ends.
func (c *connection) refuseNow(why *Refusal) {
	l := c.loop
	if !begun(c.in) {
		c.end()
		return
	}
	l.out = l.out[:0]
	c.refuse(c.in, why)
	c.write(l.out)
}

// write writes answers as far as the socket takes them.
func (c *connection) write(data []byte) {
	for len(data) > 0 {
		n, errno := send(c.fd, data)
		switch errno {
		case 0:
			data = data[n:]
			continue
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			if len(c.out) == 0 {
				c.loop.watch(syscall.EPOLL_CTL_MOD, c.fd, writableEvent)
			}
			c.out = append(c.out[:0], data...)
			c.loop.reader.wait(c, c.loop.now)
			return
		}
		c.end()
		return
	}
	c.written()
}

// flush writes what could not be written before.
func (c *connection) flush() {
	data := c.out
	n, errno := send(c.fd, data)
	switch {
	case errno == syscall.EAGAIN || errno == syscall.EINTR:
		return
	case errno != 0:
		c.end()
		return
	case n < len(data):
		c.out = data[n:]
		return
	}
	c.out = nil
	c.loop.watch(syscall.EPOLL_CTL_MOD, c.fd, readableEvent)
	if c.list == &c.loop.reader {
		c.leaveList()
	}
	c.written()
}

// written goes on when all answers so far are written.
func (c *connection) written() {
	l := c.loop
	switch {
	case c.closing && c.rude:
		_ = syscall.Shutdown(c.fd, syscall.SHUT_WR)
		c.lingered = 1
		l.linger.wait(c, l.now)
	case c.closing:
		c.end()
	case c.waiting.taken > 0:
		c.slowly()
	case len(c.in) == 0:
		l.idle.wait(c, l.now)
	case c.list == nil && len(c.in) > 0: // it was interrupted by a full socket, or by much to write
		c.resume()
	}
}

// resume serves what came while the socket was full.
func (c *connection) resume() {
	data := c.in
	c.in = nil
	c.serve(data)
}

// end closes the connection.
func (c *connection) end() {
	l := c.loop
	c.leaveList()
	c.keep(c.loop.server, nil)
	l.connections[c.fd] = nil
	shut(c.fd)
	l.count.Add(-1)
	l.server.open.Add(-1)
}
