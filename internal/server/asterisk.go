package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"

	"asterism/internal/realtime"
	"asterism/internal/soap"
)

// How long a drain waits.
const (
	drainGrace   = 300 * time.Millisecond // for connections that stay idle
	drainTimeout = 5 * time.Second        // for what is under way
)

// soapPath is where SOAP lives.
const soapPath = "/soap"

// asteriskListener serves the curl wire, /lookup and SOAP over fasthttp: the
// same answers over net/http cost 1.7 times the CPU (docs/bench.md).
type asteriskListener struct {
	realtime  *realtime.Door
	soap      *soap.Door
	allow     []netip.Prefix
	log       *slog.Logger
	server    *fasthttp.Server
	draining  atomic.Bool
	gate      gate
	admission *admission
	accepted  chan struct{} // closed when no connection comes any more
	inFlight  atomic.Int64
	buffers   sync.Pool
}

func newAsteriskListener(rt *realtime.Door, sp *soap.Door, allow []netip.Prefix, log *slog.Logger) *asteriskListener {
	l := &asteriskListener{realtime: rt, soap: sp, allow: allow, log: log, accepted: make(chan struct{})}
	l.gate = gate{bounds: usual(), rejected: rt.Rejected}
	l.admission = &admission{}
	l.server = &fasthttp.Server{
		Handler:               l.handle,
		ErrorHandler:          l.malformed,
		ExpectHandler:         l.expect,
		ReadBufferSize:        MaxHeader,
		MaxRequestBodySize:    MaxBody,
		ReadTimeout:           SlowSender,
		WriteTimeout:          SlowReader,
		IdleTimeout:           IdleTimeout,
		MaxRequestsPerConn:    MaxRequests,
		ReduceMemoryUsage:     true, // an idle connection holds no buffers
		MaxIdleWorkerDuration: time.Second,
		Concurrency:           1 << 20, // the gate counts; its own refusal is a text that Asterisk would parse
		CloseOnShutdown:       true,
		NoDefaultServerHeader: true,
		NoDefaultContentType:  true,
		NoDefaultDate:         true,
		Logger:                slog.NewLogLogger(log.Handler(), slog.LevelDebug),

		DisablePreParseMultipartForm: true, // no door takes one
		SecureErrorLogMessage:        true, // a header may hold a password
	}
	return l
}

// serve accepts until the listener is closed.
func (l *asteriskListener) serve(listener net.Listener) error {
	defer close(l.accepted)
	err := l.server.Serve(l.accepting(listener))
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// drain answers what is under way, ends each connection with its next answer,
// and after a short grace closes those that stay idle.
func (l *asteriskListener) drain(ctx context.Context, listener net.Listener) {
	l.draining.Store(true)
	_ = listener.Close()
	<-l.accepted // what was accepted at the last moment counts as open now
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	grace := time.NewTimer(drainGrace)
	defer grace.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for l.gate.open.Load() > 0 {
		select {
		case <-look.C:
			continue
		case <-grace.C:
		}
		break
	}
	if err := l.server.ShutdownWithContext(ctx); err != nil && !errors.Is(err, net.ErrClosed) {
		l.log.Warn("connections were still open at the end", "error", err)
	}
}

func (l *asteriskListener) handle(c *fasthttp.RequestCtx) {
	if l.draining.Load() {
		c.SetConnectionClose()
	}
	of := connectionOf(c)
	defer of.answered()
	uri := originForm(c.Request.Header.RequestURI())
	l.inFlight.Add(1)
	defer l.inFlight.Add(-1)
	if status, reason := l.bar(c, of); reason != "" {
		l.refuse(c, status, reason, uri)
		return
	}
	defer l.recover(c, uri)
	path, query, _ := bytes.Cut(uri, []byte("?"))
	switch {
	case bytes.HasPrefix(path, []byte(realtime.Prefix)):
		l.answerRealtime(c, uri)
	case string(path) == soapPath:
		l.answerSOAP(c, query)
	case string(path) == "/lookup":
		l.send(c, l.realtime.Lookup(l.buffer(), query))
	default:
		l.refuse(c, http.StatusNotFound, "unknown path", uri)
	}
}

// answerRealtime asks the curl wire. Its context is not that of the connection,
// which ends as soon as the listener drains: what is under way is answered.
func (l *asteriskListener) answerRealtime(c *fasthttp.RequestCtx, uri []byte) {
	request := realtime.Request{
		Method: c.Request.Header.Method(), URI: uri, Body: c.Request.Body(),
		Client: c.RemoteAddr(), HungUp: func() bool { return hungUp(c) },
	}
	l.send(c, l.realtime.Answer(context.Background(), l.buffer(), request))
}

func (l *asteriskListener) answerSOAP(c *fasthttp.RequestCtx, query []byte) {
	answer := l.soap.Answer(context.Background(), l.buffer(), soap.Call{
		Get: c.IsGet(), Query: query, Host: c.Request.Header.Host(), Secure: c.IsTLS(), Type: c.Request.Header.ContentType(), Action: c.Request.Header.Peek("SOAPAction"),
		Body: c.Request.Body(), HungUp: func() bool { return hungUp(c) },
	})
	c.Response.Header.SetContentType(answer.ContentType)
	l.send(c, realtime.Response{Status: answer.Status, Body: answer.Body})
}

func hungUp(c *fasthttp.RequestCtx) bool {
	of := connectionOf(c)
	return of != nil && of.hungUp()
}

func (l *asteriskListener) buffer() []byte {
	if b, ok := l.buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, 4096)
}

// send writes a response; the body's memory goes back to the pool.
func (l *asteriskListener) send(c *fasthttp.RequestCtx, r realtime.Response) {
	c.SetStatusCode(r.Status)
	if len(c.Response.Header.ContentType()) == 0 {
		c.Response.Header.SetContentType("text/plain")
	}
	if r.Stream != nil {
		c.SetBodyStream(rowStream{r.Stream}, r.Length)
		return
	}
	c.SetBody(r.Body)
	if cap(r.Body) <= 1<<20 {
		l.buffers.Put(&r.Body)
	}
}

// rowStream lets fasthttp write a stream of rows itself.
type rowStream struct{ write func(io.Writer) error }

// Read is never called: fasthttp prefers WriteTo.
func (s rowStream) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// WriteTo implements io.WriterTo.
func (s rowStream) WriteTo(w io.Writer) (int64, error) {
	counted := &counter{w: w}
	err := s.write(counted)
	return counted.n, err
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// WriteString avoids copying rows.
func (c *counter) WriteString(s string) (int, error) {
	n, err := io.WriteString(c.w, s)
	c.n += int64(n)
	return n, err
}

// refuse answers in the wire's own way: nothing, or -1 where a number is read, or
// a fault; and counts why.
func (l *asteriskListener) refuse(c *fasthttp.RequestCtx, status int, reason string, uri []byte) {
	l.realtime.Rejected.With(reason).Add(1)
	c.Response.ResetBody()
	c.SetStatusCode(status)
	if status == http.StatusServiceUnavailable {
		c.Response.Header.Set("Retry-After", "1")
	}
	if path, _, _ := bytes.Cut(uri, []byte("?")); string(path) == soapPath {
		l.refuseSOAP(c, status, reason)
		return
	}
	c.Response.Header.SetContentType("text/plain")
	c.SetBody(realtime.FailureBody(uri))
}

func (l *asteriskListener) refuseSOAP(c *fasthttp.RequestCtx, status int, reason string) {
	fault := &soap.Fault{Code: soap.Client, Text: "refused: " + reason}
	if status >= http.StatusInternalServerError {
		fault.Code = soap.Server
	}
	c.Response.Header.SetContentType(soap.SOAP11.ContentType())
	c.SetBody(soap.AppendFault(nil, soap.SOAP11, fault))
}

// malformed answers what never became a request: too large, too slow, no HTTP.
func (l *asteriskListener) malformed(c *fasthttp.RequestCtx, err error) {
	of := connectionOf(c)
	status, reason := unreadable(err, of)
	l.log.Debug("a request could not be read", "client", c.RemoteAddr().String(), "status", status, "error", err)
	var target []byte
	if of != nil {
		target = originForm(of.target())
	}
	l.refuse(c, status, reason, target)
}

// recover turns a broken invariant of ours into a failure on the wire.
func (l *asteriskListener) recover(c *fasthttp.RequestCtx, uri []byte) {
	if cause := recover(); cause != nil {
		l.log.Error("a request broke an invariant", "uri", string(uri), "cause", cause)
		l.refuse(c, http.StatusInternalServerError, "internal error", uri)
	}
}
