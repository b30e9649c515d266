package http1

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Handler answers requests. It is called by several goroutines at once.
type Handler interface {
	// Answer answers a request. When it is to be quick and the question is not, it
	// says false, having done nothing; it is asked again then.
	Answer(r *Request, w *Response, quick bool) bool
	// Refuse says why a request is not answered. Of r only the target may be known.
	Refuse(r *Request, w *Response, why *Refusal)
	// Dropped counts a connection that could not be told why it ends.
	Dropped(why *Refusal)
}

// Server serves one listener. Set its fields, then call Serve once.
type Server struct {
	Handler Handler
	Limits  Limits
	TLS     *tls.Config // nil: plain HTTP
	Log     *slog.Logger

	open     atomic.Int64 // connections
	slow     atomic.Int64 // requests that goroutines answer
	waiting  atomic.Int64 // requests that wait
	large    atomic.Int64 // places taken by large requests
	draining atomic.Bool
	accepted chan struct{} // closed when no connection comes any more
	once     sync.Once     // makes accepted

	buffers sync.Pool // of *[]byte, for large requests

	mu      sync.Mutex // guards loops and streams
	loops   []*loop
	streams map[*stream]bool
}

// Open is the number of open connections.
func (s *Server) Open() int64 { return s.open.Load() }

// UnderWay is the number of requests that goroutines answer just now.
func (s *Server) UnderWay() int64 { return s.slow.Load() }

// Waiting is the number of requests that wait for something just now.
func (s *Server) Waiting() int64 { return s.waiting.Load() }

// Large is the number of places that large requests hold just now.
func (s *Server) Large() int64 { return s.large.Load() }

// Serve answers what comes over a listener until Drain or until it is closed. A
// plain listener must be a *net.TCPListener.
func (s *Server) Serve(listener net.Listener) error {
	defer close(s.acceptedChannel())
	if s.TLS != nil {
		return s.serveStreams(listener)
	}
	tcp, ok := listener.(*net.TCPListener)
	if !ok {
		return fmt.Errorf("serve %s: not a TCP listener", listener.Addr())
	}
	return s.serveLoops(tcp)
}

func (s *Server) acceptedChannel() chan struct{} {
	s.once.Do(func() { s.accepted = make(chan struct{}) })
	return s.accepted
}

// serveLoops runs the loops until all have stopped accepting; they serve on what
// is open until Drain ends them.
func (s *Server) serveLoops(listener *net.TCPListener) error {
	raw, err := listener.SyscallConn()
	if err != nil {
		return fmt.Errorf("serve %s: %w", listener.Addr(), err)
	}
	var started, accepting sync.WaitGroup
	var failed error
	accepting.Add(1) // for Control, below
	started.Add(1)
	// The descriptor may be used as long as Control runs.
	go func() {
		defer accepting.Done()
		err := raw.Control(func(fd uintptr) {
			failed = s.startLoops(int(fd))
			started.Done()
			for _, l := range s.allLoops() {
				<-l.refusing
			}
		})
		if err != nil {
			failed = err
			started.Done()
		}
	}()
	started.Wait()
	accepting.Wait()
	if errors.Is(failed, net.ErrClosed) {
		return nil
	}
	return failed
}

func (s *Server) startLoops(listener int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	inherited(listener)
	// Half the processors are enough to keep the other half busy with writes,
	// listings and clients; few loops find more to do at a time.
	for range max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))/2) {
		l, err := newLoop(s, listener)
		if err != nil {
			return err
		}
		s.loops = append(s.loops, l)
	}
	for _, l := range s.loops {
		go l.run()
	}
	go s.tick()
	return nil
}

func (s *Server) allLoops() []*loop {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loops
}

// tick wakes the loops so that they look at their deadlines.
func (s *Server) tick() {
	l := &s.Limits
	ticker := time.NewTicker(min(250*time.Millisecond, min(l.Sender, l.Reader, l.Idle, l.Patience, l.Linger)/4+time.Millisecond))
	defer ticker.Stop()
	loops := s.allLoops()
	for range ticker.C {
		alive := false
		for _, l := range loops {
			select {
			case <-l.done:
			default:
				alive = true
				l.wake()
			}
		}
		if !alive {
			return
		}
	}
}

// Drain ends the server: what has come is answered, each connection ends with its
// next answer, after grace those that are idle, and all when ctx does.
func (s *Server) Drain(ctx context.Context, listener net.Listener, grace time.Duration) error {
	s.draining.Store(true)
	for _, l := range s.allLoops() {
		l.wake() // they accept what has come, and no more
	}
	if s.TLS != nil {
		_ = listener.Close()
	}
	<-s.acceptedChannel()
	_ = listener.Close()
	patience := time.NewTimer(grace)
	defer patience.Stop()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for waiting := true; waiting && s.open.Load() > 0; {
		select {
		case <-look.C:
		case <-patience.C:
			waiting = false
		}
	}
	s.endIdle()
	for s.open.Load() > 0 && ctx.Err() == nil {
		select {
		case <-look.C:
		case <-ctx.Done():
		}
	}
	left := s.open.Load()
	s.stop()
	if left > 0 {
		return fmt.Errorf("%d connections were still open: %w", left, ctx.Err())
	}
	return nil
}

// endIdle ends connections that wait for a request.
func (s *Server) endIdle() {
	for _, l := range s.allLoops() {
		l.command(func() { l.endIdle() })
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.streams {
		c.endIdle()
	}
}

// stop ends the loops, and what is still open.
func (s *Server) stop() {
	for _, l := range s.allLoops() {
		l.command(func() { l.stopped = true })
		<-l.done
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.streams {
		_ = c.conn.Close()
	}
}

// enter counts a connection in. It says no to one that is too many even to be told
// so; surplus ones are let in for that.
func (s *Server) enter() (surplus, in bool) {
	open := s.open.Add(1)
	limit := int64(s.Limits.Connections)
	if open > limit+int64(s.Limits.Refusals) {
		s.open.Add(-1)
		s.Handler.Dropped(TooManyConnections)
		return false, false
	}
	return open > limit, true
}

// finish sets what ends a connection with an answer.
func (s *Server) finish(w *Response, r *Request, requests int) {
	w.Close = w.Close || r.close || requests >= s.Limits.Requests || s.draining.Load()
}

// largeBuffer gives one of a few buffers that are large enough for any request,
// with what has come so far.
func (s *Server) largeBuffer(data []byte) []byte {
	buffer, ok := s.buffers.Get().(*[]byte)
	if !ok {
		buffer = new(make([]byte, 0, s.Limits.Header+s.Limits.Body+readAtOnce))
	}
	return append((*buffer)[:0], data...)
}

// takeLarge takes a place for a large request.
func (s *Server) takeLarge() bool {
	if s.large.Add(1) > int64(s.Limits.LargeAtOnce) {
		s.large.Add(-1)
		return false
	}
	return true
}
