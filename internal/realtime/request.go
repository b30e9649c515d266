package realtime

import (
	"bytes"
	"io"
	"net/netip"

	"asterism/internal/trace"
)

// Request is one request as it came; the slices are read only while Answer runs.
type Request struct {
	Method []byte
	URI    []byte // path and query, raw
	Body   []byte
	Client netip.AddrPort
	// HungUp tells whether the client closed its end before the answer: then a
	// write must not be applied, since Asterisk already counts it as failed. nil: can't tell.
	HungUp func() bool
	Recent *Recent // what the same connection asked before; nil: nobody minds
	Quick  bool    // answer only what takes microseconds
}

// Response is the answer. Status 200 unless something went wrong.
type Response struct {
	Slow   bool // a quick answer was wanted and there is none; nothing was done
	Status int
	Body   []byte
	// Stream, when set, is instead of Body: Length bytes, written from the
	// directory's own rows, so that twenty listings cost no twenty copies.
	Stream func(io.Writer) error
	Length int
}

// Prefix is where the door lives.
const Prefix = "/rt/"

// verb is what is asked of a family.
type verb uint8

const (
	unknownVerb verb = iota
	single
	multi
	static
	update
	store
	destroy
	require
)

func verbOf(name []byte) verb {
	switch string(name) {
	case "single":
		return single
	case "multi":
		return multi
	case "static":
		return static
	case "update":
		return update
	case "store":
		return store
	case "destroy":
		return destroy
	case "require":
		return require
	}
	return unknownVerb
}

// String is the verb as it stands in a URL.
func (v verb) String() string {
	switch v {
	case single:
		return "single"
	case multi:
		return "multi"
	case static:
		return "static"
	case update:
		return "update"
	case store:
		return "store"
	case destroy:
		return "destroy"
	case require:
		return trace.Require
	}
	return "unknown"
}

// counts tells whether the verb answers a number, also on failure.
func (v verb) counts() bool { return v >= update }

// split takes a URI apart: /rt/{family}/{verb}?{query}. Asterisk puts "/" and
// the verb behind the base URL as it was configured, so the verb is always what
// follows the last slash, and a base URL that ends in "/" is meant as one that
// does not.
func split(uri []byte) (family []byte, v verb, query []byte) {
	path, query, _ := bytes.Cut(uri, []byte("?"))
	last := bytes.LastIndexByte(path, '/')
	family = bytes.Trim(bytes.TrimPrefix(path[:max(last, 0)], []byte(Prefix)), "/")
	return family, verbOf(path[last+1:]), query
}

// FailureBody is what a request gets that failed before it reached the door (too
// large, malformed) or missed it (a base URL without /rt): "-1" where Asterisk
// reads a number, nothing elsewhere.
func FailureBody(uri []byte) []byte {
	if _, v, _ := split(uri); v.counts() {
		return []byte("-1")
	}
	return nil
}
