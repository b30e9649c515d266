package http1

import (
	"io"
	"net/http"
	"strconv"
)

// Response is one answer. A Handler sets the status and appends to Body, or sets
// Stream with the Length that it will write.
type Response struct {
	Status       int
	ContentType  string
	Body         []byte
	Stream       func(io.Writer) error
	Length       int
	RetryAfter   bool   // in a second
	Authenticate string // of the field WWW-Authenticate
	Allow        string // of the field Allow
	Close        bool   // the connection ends with this answer
}

// reset keeps the memory of the body.
func (w *Response) reset() { *w = Response{Body: w.Body[:0]} }

// appendHead appends the status line and the header fields of an answer to r.
func (w *Response) appendHead(dst []byte, r *Request) []byte {
	if w.Status == http.StatusOK {
		dst = append(dst, "HTTP/1.1 200 OK\r\n"...)
	} else {
		dst = append(dst, "HTTP/1.1 "...)
		dst = strconv.AppendInt(dst, int64(w.Status), 10)
		dst = append(append(append(dst, ' '), http.StatusText(w.Status)...), "\r\n"...)
	}
	if w.ContentType != "" {
		dst = append(append(append(dst, "Content-Type: "...), w.ContentType...), "\r\n"...)
	}
	if w.RetryAfter {
		dst = append(dst, "Retry-After: 1\r\n"...)
	}
	if w.Authenticate != "" {
		dst = append(append(append(dst, "WWW-Authenticate: "...), w.Authenticate...), "\r\n"...)
	}
	if w.Allow != "" {
		dst = append(append(append(dst, "Allow: "...), w.Allow...), "\r\n"...)
	}
	switch {
	case w.Close:
		dst = append(dst, "Connection: close\r\n"...)
	case r.minor == 0:
		dst = append(dst, "Connection: keep-alive\r\n"...)
	}
	dst = append(dst, "Content-Length: "...)
	length := len(w.Body)
	if w.Stream != nil {
		length = w.Length
	}
	dst = strconv.AppendInt(dst, int64(length), 10)
	return append(dst, "\r\n\r\n"...)
}

// append appends a whole answer but for a stream.
func (w *Response) append(dst []byte, r *Request) []byte {
	dst = w.appendHead(dst, r)
	if string(r.Method) == http.MethodHead {
		return dst
	}
	return append(dst, w.Body...)
}
