package bench

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

func readText(text string) (response, error) {
	return readResponse(bufio.NewReaderSize(strings.NewReader(text), maxHeaderLine), nil)
}

func TestResponseIsRead(t *testing.T) {
	f := func(text string, status int, body string, closes bool) {
		t.Helper()
		got, err := readText(text)
		if err != nil || got.status != status || string(got.body) != body || got.close != closes {
			t.Errorf("%q: got %d %q close %v, error %v", text, got.status, got.body, got.close, err)
		}
	}
	f("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more", 200, "hi", false)
	f("HTTP/1.1 200\ncontent-length:2\n\nhi", 200, "hi", false)
	f("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", true)
	f("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi", 200, "hi", true)
	f("HTTP/1.1 200 OK\r\n\r\nhi", 200, "hi", true)
	f("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", true)
	f("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", 200, "hi", false)
	f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nA;x=y\r\n, 10 bytes\r\n0\r\nTrailer: x\r\n\r\n", 200, "hi, 10 bytes", false)
	f("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", 204, "", false)
	f("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", 500, "", false)
}

func TestResponseIsRefused(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		_, err := readText(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want %q in it", text, err, want)
		}
	}
	f("", "EOF")
	f("HTTP/1.1 200 OK\r\n", "unexpected EOF")
	f("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi", "unexpected EOF")
	f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", "unexpected EOF")
	f("SSH-2.0-OpenSSH_9.2\r\n", "is this an HTTP server?")
	f("HTTP/1.1 2000 OK\r\n", "no HTTP/1.1 status line")
	f("HTTP/1.1 2x0 OK\r\n", "no HTTP status")
	f("HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", "no colon")
	f("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "response length")
	f("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "response length")
	f("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "not chunked")
	f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", "size is missing")
	f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "no hexadecimal")
	f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nhi\r\n", "longer than it says")
	f("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFF\r\n", "response is longer")
	f("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", maxHeaderLine)+"\r\n\r\n", "line is longer")
	f("HTTP/1.1 200 OK\r\n"+strings.Repeat("X: x\r\n", maxHeaders+1)+"\r\n", "more than 100 headers")
	f("HTTP/1.1 200 OK\r\n\r\n"+strings.Repeat("x", maxResponseBody+1), "response is longer")
}

// Cut anywhere, a response is never taken for a whole one.
func TestResponseCutShort(t *testing.T) {
	for _, whole := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
	} {
		for end := range len(whole) {
			if got, err := readText(whole[:end]); err == nil {
				t.Errorf("%q was read as %+v", whole[:end], got)
			}
		}
	}
}

// net/http is the oracle wherever both understand a response.
func FuzzResponse(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readText(string(text))
		if err != nil {
			return
		}
		if len(got.body) > maxResponseBody {
			t.Fatalf("body of %d bytes", len(got.body))
		}
		if !bytes.HasPrefix(text, []byte("HTTP/1.1 ")) {
			return // net/http ignores chunks in HTTP/1.0
		}
		want, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(text)), &http.Request{Method: "POST"})
		if err != nil || want.StatusCode < 200 {
			return
		}
		body, err := io.ReadAll(want.Body)
		if err == nil && (want.StatusCode != got.status || !bytes.Equal(body, got.body)) {
			t.Errorf("%q: got %d %q, want %d %q", text, got.status, got.body, want.StatusCode, body)
		}
	})
}
