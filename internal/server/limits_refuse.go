package server

import (
	"bytes"
	"errors"
	"net"
	"net/http"

	"github.com/valyala/fasthttp"
)

// bar says why a request that was read is not answered; no reason: it is.
func (l *asteriskListener) bar(c *fasthttp.RequestCtx, of *connection) (status int, reason string) {
	switch {
	case of != nil && of.surplus():
		c.SetConnectionClose()
		return http.StatusServiceUnavailable, tooManyConnections
	case l.inFlight.Load() > MaxInFlight:
		return http.StatusServiceUnavailable, "overload"
	case !c.IsGet() && !c.IsPost():
		c.Response.Header.Set("Allow", "GET, POST")
		return http.StatusMethodNotAllowed, "unknown method"
	}
	switch fields, folded := countFields(c.Request.Header.RawHeaders()); {
	case folded:
		c.SetConnectionClose()
		return http.StatusBadRequest, malformedRequest
	case fields > MaxHeaderFields:
		return http.StatusRequestHeaderFieldsTooLarge, "too many header fields"
	}
	return l.turnedAway(c)
}

// expect answers "Expect: 100-continue": a body that is too large is refused
// before it is sent. (libcurl asks so above 1 MB.)
func (l *asteriskListener) expect(c *fasthttp.RequestCtx) int {
	if c.Request.Header.ContentLength() <= MaxBody {
		return http.StatusContinue
	}
	l.refuse(c, http.StatusRequestEntityTooLarge, bodyTooLarge, originForm(c.Request.Header.RequestURI()))
	return http.StatusRequestEntityTooLarge
}

// Reasons for which several places refuse.
const (
	bodyTooLarge     = "body too large"
	malformedRequest = "malformed request"
)

// countFields counts the lines of a header and tells whether one goes on in the
// next: proxies disagree on what that means.
func countFields(header []byte) (fields int, folded bool) {
	for {
		end := bytes.IndexByte(header, '\n')
		if end < 0 {
			return fields, folded
		}
		if header = header[end+1:]; len(header) > 0 && (header[0] == ' ' || header[0] == '\t') {
			folded = true
		}
		fields++
	}
}

// originForm takes "http://host" off a target: what proxies are sent, and every
// server has to understand.
func originForm(target []byte) []byte {
	if len(target) > 0 && target[0] == '/' {
		return target
	}
	if _, after, found := bytes.Cut(target, []byte("://")); found {
		if slash := bytes.IndexByte(after, '/'); slash >= 0 {
			return after[slash:]
		}
	}
	return target
}

// unreadable says how to refuse a request that could not be read.
func unreadable(err error, of *connection) (status int, reason string) {
	var small *fasthttp.ErrSmallBuffer
	var failure error
	if of != nil {
		failure = of.failure // fasthttp does not always wrap it
		of.unread.Store(true)
	}
	switch {
	case errors.Is(err, fasthttp.ErrBodyTooLarge):
		return http.StatusRequestEntityTooLarge, bodyTooLarge
	case errors.As(err, &small):
		return http.StatusRequestHeaderFieldsTooLarge, "header too large"
	case errors.Is(failure, errTooManyLarge):
		return http.StatusServiceUnavailable, tooManyLargeRequests
	case isTimeout(failure), isTimeout(err):
		return http.StatusRequestTimeout, "request too slow"
	}
	return http.StatusBadRequest, malformedRequest
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}
