package http1

import "bytes"

// framing is what the header fields say of where the body ends.
type framing struct {
	lengths, codings int
	hosts            int
	length           int
	chunked          bool
	tooLarge         bool
	badExpectation   bool
}

// field reads one header field.
func (r *Request) field(line []byte, f *framing) *Refusal {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || !isToken(line[:colon]) { // also a folded line, and a blank before the colon
		return Malformed
	}
	name, value := line[:colon], trim(line[colon+1:])
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7F {
			return Malformed
		}
	}
	switch len(name) {
	case len("Host"):
		if is(name, "host") {
			f.hosts++
			r.Host = value
		}
	case len("Expect"):
		if is(name, "expect") {
			r.expects = is(value, "100-continue")
			f.badExpectation = !r.expects
		}
	case len("Connection"): // and SOAPAction
		switch {
		case is(name, "connection"):
			r.connection(value)
		case is(name, "soapaction"):
			r.SOAPAction = value
		}
	case len("Content-Type"):
		if is(name, "content-type") {
			r.ContentType = value
		}
	case len("Authorization"):
		if is(name, "authorization") {
			r.Authorization = value
		}
	case len("Content-Length"):
		if is(name, "content-length") {
			return f.contentLength(value)
		}
	case len("Transfer-Encoding"):
		if is(name, "transfer-encoding") {
			f.codings++
			f.chunked = is(value, "chunked")
		}
	}
	return nil
}

// connection reads the options of the field Connection.
func (r *Request) connection(value []byte) {
	for len(value) > 0 {
		var option []byte
		option, value, _ = bytes.Cut(value, []byte(","))
		switch option = trim(option); {
		case is(option, "close"):
			r.close = true
		case is(option, "keep-alive") && r.minor == 0:
			r.close = false
		}
	}
}

func (f *framing) contentLength(value []byte) *Refusal {
	f.lengths++
	if len(value) == 0 {
		return Malformed
	}
	for _, c := range value {
		if c < '0' || c > '9' {
			return Malformed
		}
		if f.length > 1<<40 {
			f.tooLarge = true
			continue
		}
		f.length = f.length*10 + int(c-'0')
	}
	return nil
}

// frame decides where the body ends. Two opinions about that are how one request
// is smuggled inside another, so they are refused (RFC 9112, 6.3).
func (r *Request) frame(f *framing) *Refusal {
	switch {
	case f.lengths > 1 || f.codings > 1 || f.hosts > 1 || f.lengths > 0 && f.codings > 0:
		return Malformed
	case f.codings > 0 && r.minor == 0:
		return Malformed
	case f.codings > 0 && !f.chunked:
		return UnknownCoding
	case f.badExpectation:
		return UnknownExpectation
	case f.tooLarge:
		return BodyTooLarge
	}
	r.length = f.length
	if f.chunked {
		r.length = -1
	}
	return nil
}

// is compares with a lower-case ASCII word, whatever the case.
func is(text []byte, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

func trim(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	for len(text) > 0 && (text[len(text)-1] == ' ' || text[len(text)-1] == '\t') {
		text = text[:len(text)-1]
	}
	return text
}

// tokens are the characters of a name (RFC 9110, 5.6.2).
var tokens = func() (table [256]bool) {
	for c := '0'; c <= 'z'; c++ {
		table[c] = '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	for _, c := range []byte("!#$%&'*+-.^_`|~") {
		table[c] = true
	}
	return table
}()

func isToken(text []byte) bool {
	for _, c := range text {
		if !tokens[c] {
			return false
		}
	}
	return len(text) > 0
}
