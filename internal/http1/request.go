package http1

import (
	"bytes"
	"crypto/tls"
	"net/netip"
)

// Request is one request. Its slices hold while it is answered.
type Request struct {
	Method []byte
	Target []byte // in origin form: /path?query
	Body   []byte

	// The header fields that the doors read.
	Host, ContentType, SOAPAction, Authorization []byte

	Remote netip.AddrPort
	Kept   *any                 // what the handler keeps between the requests of this connection
	TLS    *tls.ConnectionState // nil over plain TCP
	HungUp func() bool          // whether the client went away; nil for a quick answer
	Wait   func() bool          // called before an answer that will be long in coming; false: too many wait. nil for a quick answer

	length  int  // of the body; chunked: -1
	minor   byte // of the version, 0 or 1
	close   bool // the client wants the connection to end
	expects bool // 100-continue
}

// reset forgets all but who asks.
func (r *Request) reset() {
	*r = Request{Remote: r.Remote, Kept: r.Kept, TLS: r.TLS, HungUp: r.HungUp, Wait: r.Wait}
}

// parseHead reads the request line and the header fields. It gives their length,
// 0 when the end has not come yet.
func (r *Request) parseHead(data []byte, limits *Limits) (int, *Refusal) {
	r.reset()
	at := 0
	for at < len(data) && (data[at] == '\r' || data[at] == '\n') {
		at++ // empty lines before a request are to be passed over (RFC 9112, 2.2)
	}
	line, next, refusal := nextLine(data, at, limits)
	if line == nil || refusal != nil {
		return 0, refusal
	}
	if refusal := r.requestLine(line); refusal != nil {
		return 0, refusal
	}
	var f framing
	for count := 0; ; count++ {
		if line, next, refusal = nextLine(data, next, limits); line == nil || refusal != nil {
			return 0, refusal
		}
		if len(line) == 0 {
			return next, r.frame(&f)
		}
		if count == limits.Fields {
			return 0, TooManyFields
		}
		if refusal := r.field(line, &f); refusal != nil {
			return 0, refusal
		}
	}
}

// nextLine gives a line without its end and where the next one begins; nil when
// its end has not come yet.
func nextLine(data []byte, at int, limits *Limits) ([]byte, int, *Refusal) {
	length := bytes.IndexByte(data[at:], '\n')
	if length < 0 {
		if len(data) >= limits.Header {
			return nil, 0, HeaderTooLarge
		}
		return nil, 0, nil
	}
	next := at + length + 1
	if next > limits.Header {
		return nil, 0, HeaderTooLarge
	}
	if length > 0 && data[next-2] == '\r' {
		length--
	}
	return data[at : at+length : at+length], next, nil
}

// requestLine reads METHOD SP target SP HTTP/1.x.
func (r *Request) requestLine(line []byte) *Refusal {
	first := bytes.IndexByte(line, ' ')
	last := bytes.LastIndexByte(line, ' ')
	if first <= 0 || last == first {
		return Malformed
	}
	method, target, version := line[:first], line[first+1:last], line[last+1:]
	if !isToken(method) || len(target) == 0 || target[0] != '/' && !bytes.Contains(target, []byte("://")) {
		return Malformed
	}
	for _, c := range target {
		if c <= ' ' || c == 0x7F {
			return Malformed
		}
	}
	r.Method, r.Target = method, originForm(target)
	switch {
	case string(version) == "HTTP/1.1":
		r.minor = 1
	case string(version) == "HTTP/1.0":
		r.close = true // unless the client says otherwise
	case bytes.HasPrefix(version, []byte("HTTP/")):
		return UnknownVersion
	default:
		return Malformed
	}
	return nil
}

// originForm takes http://host off a target, as a client of a proxy sends it.
func originForm(target []byte) []byte {
	if target[0] == '/' {
		return target
	}
	_, after, found := bytes.Cut(target, []byte("://"))
	if !found {
		return target
	}
	if slash := bytes.IndexByte(after, '/'); slash >= 0 {
		return after[slash:]
	}
	return []byte("/")
}

// Path gives the target up to its query, and the query.
func (r *Request) Path() (path, query []byte) {
	path, query, _ = bytes.Cut(r.Target, []byte("?"))
	return path, query
}

// targetOf gives the target of a request that has come in part, as far as it has.
func targetOf(data []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimLeft(data, "\r\n"), []byte("\n"))
	_, after, found := bytes.Cut(line, []byte(" "))
	if !found {
		return nil
	}
	target, _, _ := bytes.Cut(bytes.TrimRight(after, "\r"), []byte(" "))
	if len(target) == 0 {
		return nil
	}
	return originForm(target)
}
