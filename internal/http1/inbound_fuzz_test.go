package http1

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"
)

// taken reads all requests in data, handed over in pieces of a size, as a
// connection does: what is left of one piece stands before the next.
func taken(data []byte, size int) (out []string, refusal *Refusal) {
	limits := usual()
	limits.Header, limits.Body = 512, 256
	var in inbound
	var r Request
	var pending []byte
	for len(data) > 0 {
		n := min(size, len(data))
		pending, data = append(pending, data[:n]...), data[n:]
		for len(pending) > 0 {
			f, kept, refusal := in.next(pending, &r, &limits)
			if refusal != nil {
				return out, refusal
			}
			if f.taken == 0 {
				pending = pending[:kept]
				break
			}
			out = append(out, fmt.Sprintf("%s %s %q %v", r.Method, r.Target, r.Body, r.close))
			pending = pending[f.taken:]
		}
	}
	return out, nil
}

// FuzzNext holds that it does not matter in which pieces requests come, and that
// what is taken for a request net/http takes for the same.
func FuzzNext(f *testing.F) {
	for _, text := range []string{
		"GET / HTTP/1.1\r\n\r\n", "\r\nPOST /a?b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.0\r\n\r\n",
		"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: u\r\n\r\nGET /b HTTP/1.1\r\nConnection: close\r\n\r\n",
		"GET http://h/x HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", "GET / HTTP/1.1\r\nX: y\r\n z\r\n\r\n", "G\r\n", "GET / HTTP/1.1\nHost: x\n\n",
	} {
		f.Add([]byte(text), uint8(1))
		f.Add([]byte(text), uint8(7))
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		whole, refused := taken(bytes.Clone(data), len(data)+1)
		pieces, refusedInPieces := taken(bytes.Clone(data), int(size)+1)
		if fmt.Sprint(whole) != fmt.Sprint(pieces) || (refused == nil) != (refusedInPieces == nil) {
			// Which limit is met first may differ.
			t.Fatalf("%q: at once %q %v, in pieces of %d %q %v", data, whole, refused, size+1, pieces, refusedInPieces)
		}
		reader := bufio.NewReader(bytes.NewReader(data))
		for _, said := range whole {
			asNetHTTP(t, reader, said)
		}
	})
}

// asNetHTTP compares a request with what net/http reads; that refuses some which
// are none of our business (a target that is no URL).
func asNetHTTP(t *testing.T, reader *bufio.Reader, said string) {
	t.Helper()
	for {
		if next, err := reader.Peek(1); err != nil || next[0] != '\r' && next[0] != '\n' {
			break
		}
		_, _ = reader.Discard(1)
	}
	request, err := http.ReadRequest(reader)
	if err != nil {
		t.Skip()
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		t.Skip()
	}
	if want := fmt.Sprintf("%s %s %q", request.Method, originForm([]byte(request.RequestURI)), body); len(said) < len(want) || said[:len(want)] != want {
		t.Fatalf("taken as %q, by net/http as %q", said, want)
	}
}
