package server

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"asterism/internal/http1"
	"asterism/internal/realtime"
	"asterism/internal/soap"
)

// How long a drain waits.
const (
	drainGrace   = 300 * time.Millisecond // for connections that stay idle
	drainTimeout = 5 * time.Second        // for what is under way
)

// Paths of the Asterisk-facing listener beside realtime.Prefix.
const (
	soapPath   = "/soap"
	lookupPath = "/lookup"
)

// asteriskListener serves the curl wire, /lookup and SOAP.
type asteriskListener struct {
	realtime  *realtime.Door
	soap      *soap.Door
	allow     []netip.Prefix
	log       *slog.Logger
	admission *admission
	server    *http1.Server
}

func newAsteriskListener(rt *realtime.Door, sp *soap.Door, allow []netip.Prefix, log *slog.Logger) *asteriskListener {
	l := &asteriskListener{realtime: rt, soap: sp, allow: allow, log: log, admission: &admission{}}
	l.server = &http1.Server{Handler: l, Limits: limits(), Log: log}
	return l
}

// serve answers until the listener is drained. The socket itself stays as it is:
// systemd and the next process know nothing of TLS.
func (l *asteriskListener) serve(listener net.Listener) error {
	if l.admission.certificates != nil {
		l.server.TLS = l.admission.certificates.settings()
	}
	return l.server.Serve(listener)
}

// drain answers what is under way, who waits for changes at once, ends each
// connection with its next answer, and after a short grace closes those that stay
// idle.
func (l *asteriskListener) drain(ctx context.Context, listener net.Listener) {
	l.soap.Directory.EndWaits()
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	if err := l.server.Drain(ctx, listener, drainGrace); err != nil {
		l.log.Warn("the Asterisk-facing listener was cut off", "error", err)
	}
}

// Answer implements http1.Handler.
func (l *asteriskListener) Answer(r *http1.Request, w *http1.Response, quick bool) (answered bool) {
	defer func() {
		if cause := recover(); cause != nil {
			l.log.Error("a request broke an invariant", "uri", string(r.Target), "cause", cause)
			l.Refuse(r, w, internalError)
			answered = true
		}
	}()
	if why := l.bar(r, w); why != nil {
		l.Refuse(r, w, why)
		return true
	}
	path, query := r.Path()
	switch {
	case bytes.HasPrefix(path, []byte(realtime.Prefix)):
		return l.answerRealtime(r, w, quick)
	case string(path) == soapPath:
		return l.answerSOAP(r, w, query, quick)
	case string(path) == lookupPath:
		answer := l.realtime.Lookup(w.Body, query, r.Remote)
		w.Status, w.ContentType, w.Body = answer.Status, plainText, answer.Body
	default:
		l.Refuse(r, w, unknownPath)
	}
	return true
}

const plainText = "text/plain"

// answerRealtime asks the curl wire. Its context is not that of the connection,
// which ends as soon as the listener drains: what is under way is answered.
func (l *asteriskListener) answerRealtime(r *http1.Request, w *http1.Response, quick bool) bool {
	recent, ok := (*r.Kept).(*realtime.Recent)
	if !ok {
		if recent = l.realtime.Recent(); recent != nil {
			*r.Kept = recent
		}
	}
	answer := l.realtime.Answer(context.Background(), w.Body, realtime.Request{
		Method: r.Method, URI: r.Target, Body: r.Body, Client: r.Remote, HungUp: r.HungUp, Recent: recent, Quick: quick,
	})
	w.Status, w.ContentType, w.Body = answer.Status, plainText, answer.Body
	w.Stream, w.Length = answer.Stream, answer.Length
	return !answer.Slow
}

func (l *asteriskListener) answerSOAP(r *http1.Request, w *http1.Response, query []byte, quick bool) bool {
	answer := l.soap.Answer(context.Background(), w.Body, soap.Call{
		Get: string(r.Method) == http.MethodGet, Query: query, Host: r.Host, Secure: r.TLS != nil, Type: r.ContentType, Action: r.SOAPAction,
		Body: r.Body, Client: r.Remote, HungUp: r.HungUp, Wait: r.Wait, Quick: quick,
	})
	if answer.Crowded {
		l.Refuse(r, w, http1.Overload)
		return true
	}
	w.Status, w.ContentType, w.Body = answer.Status, answer.ContentType, answer.Body
	return !answer.Slow
}
