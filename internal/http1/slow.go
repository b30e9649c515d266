package http1

import (
	"bufio"
	"errors"
	"sync"
	"syscall"
	"time"
)

// exchange is what a goroutine needs to answer one request.
type exchange struct {
	request  Request
	response Response
	out      []byte
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

// give puts an exchange back, but not with the memory of a large answer.
func (x *exchange) give(kept int) {
	x.request = Request{}
	if cap(x.out) > kept || cap(x.response.Body) > kept {
		return
	}
	x.response.reset()
	exchanges.Put(x)
}

// slowly has a goroutine answer the request that waits. The connection is out of
// the loop until it comes back.
func (c *connection) slowly() {
	l := c.loop
	c.leaveList()
	if l.server.slow.Add(1) > int64(l.server.Limits.Slow) {
		l.server.slow.Add(-1)
		c.overload()
		return
	}
	l.watch(syscall.EPOLL_CTL_DEL, c.fd, 0)
	if c.writable == nil {
		c.writable = make(chan struct{}, 1)
	}
	c.busy = true
	go c.answerSlowly()
}

// overload refuses the request that waits; the connection goes on.
func (c *connection) overload() {
	l := c.loop
	l.request.Remote, l.request.Kept = c.remote, &c.kept
	c.waiting.again(c.in, &l.request, &l.server.Limits)
	l.response.reset()
	l.server.Handler.Refuse(&l.request, &l.response, Overload)
	c.requests++
	l.server.finish(&l.response, &l.request, c.requests)
	c.closing = l.response.Close
	l.out = l.response.append(l.out[:0], &l.request)
	c.keep(l.server, c.in[c.waiting.taken:])
	c.waiting = frame{}
	c.write(l.out)
}

// answerSlowly runs in a goroutine of its own and may take its time.
func (c *connection) answerSlowly() {
	s := c.loop.server
	x, place := exchanges.Get().(*exchange), &stay{server: s}
	x.request.Remote, x.request.Kept, x.request.HungUp, x.request.Wait = c.remote, &c.kept, func() bool { return gone(c.fd) }, place.wait
	c.waiting.again(c.in, &x.request, &s.Limits)
	x.response.reset()
	s.Handler.Answer(&x.request, &x.response, false)
	c.requests++
	s.finish(&x.response, &x.request, c.requests)
	x.out = x.response.append(x.out[:0], &x.request)
	_, err := c.Write(x.out)
	if err == nil && x.response.Stream != nil && string(x.request.Method) != "HEAD" {
		to := bufio.NewWriterSize(c, readAtOnce)
		err = errors.Join(x.response.Stream(to), to.Flush())
	}
	if errors.Is(err, errNotTaken) {
		s.Handler.Dropped(NotTaken)
	}
	c.closing, c.broken = x.response.Close, err != nil
	x.give(place.keeps())
	place.leave()
	c.loop.hand(c)
}

var errNotTaken = errors.New("the client does not take its answer")

// Write implements io.Writer for the goroutine that answers: it waits for room.
func (c *connection) Write(data []byte) (written int, err error) {
	operation := syscall.EPOLL_CTL_ADD
	var patience *time.Timer
	for written < len(data) {
		n, errno := send(c.fd, data[written:])
		switch errno {
		case 0:
			written += n
			continue
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
		default:
			err = errno
		}
		if err != nil {
			break
		}
		c.loop.watch(operation, c.fd, writableEvent|oneShot)
		operation = syscall.EPOLL_CTL_MOD
		if patience == nil {
			patience = time.NewTimer(c.loop.server.Limits.Reader)
			defer patience.Stop()
		}
		select {
		case <-c.writable:
		case <-patience.C:
			err = errNotTaken
		}
		if err != nil {
			break
		}
	}
	if operation == syscall.EPOLL_CTL_MOD {
		c.loop.watch(syscall.EPOLL_CTL_DEL, c.fd, 0)
	}
	return written, err
}

// oneShot is EPOLLONESHOT: told once.
const oneShot = 1 << 30

// back takes the connection back into its loop.
func (c *connection) back() {
	l := c.loop
	c.busy = false
	select {
	case <-c.writable: // told too late
	default:
	}
	data := c.in[c.waiting.taken:]
	c.waiting = frame{}
	if c.broken || l.stopped {
		c.end()
		return
	}
	l.watch(syscall.EPOLL_CTL_ADD, c.fd, readableEvent)
	c.rude = c.rude || c.closing && len(data) > 0
	if len(data) == 0 || c.closing {
		c.keep(l.server, nil)
		c.written()
		return
	}
	c.in = nil
	c.serve(data)
}
