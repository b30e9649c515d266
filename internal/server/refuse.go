package server

import (
	"net/http"

	"asterism/internal/http1"
	"asterism/internal/realtime"
	"asterism/internal/soap"
)

// Why a request that could be read is refused before its door.
var (
	unknownPath   = &http1.Refusal{Status: http.StatusNotFound, Reason: "unknown path"}
	unknownMethod = &http1.Refusal{Status: http.StatusMethodNotAllowed, Reason: "unknown method"}
	internalError = &http1.Refusal{Status: http.StatusInternalServerError, Reason: "internal error"}
)

// bar says why a request is not answered; nil: it is.
func (l *asteriskListener) bar(r *http1.Request, w *http1.Response) *http1.Refusal {
	if method := string(r.Method); method != http.MethodPost && method != http.MethodGet {
		return unknownMethod
	}
	return l.turnedAway(r)
}

// Refuse implements http1.Handler: it answers in the wire's own way, nothing, or
// -1 where a number is read, or a fault; and counts why.
func (l *asteriskListener) Refuse(r *http1.Request, w *http1.Response, why *http1.Refusal) {
	l.Dropped(why)
	w.Status, w.Body, w.Stream = why.Status, w.Body[:0], nil
	switch why.Status {
	case http.StatusServiceUnavailable:
		w.RetryAfter = true
	case http.StatusUnauthorized:
		w.Authenticate = challenge
	case http.StatusMethodNotAllowed:
		w.Allow = "GET, POST"
	}
	if path, _ := r.Path(); string(path) == soapPath {
		w.ContentType, w.Body = soap.AppendRefusal(w.Body, r.ContentType, soap.RefusalFault(why.Status, why.Reason))
		return
	}
	w.ContentType = plainText
	w.Body = append(w.Body, realtime.FailureBody(r.Target)...)
}

// Dropped implements http1.Handler.
func (l *asteriskListener) Dropped(why *http1.Refusal) { l.realtime.Rejected.With(why.Reason).Add(1) }
