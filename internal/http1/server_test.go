package http1

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// echo answers with what was asked. /slow is not quick, /stream streams.
type echo struct {
	mu      sync.Mutex
	dropped []string
}

func (e *echo) Answer(r *Request, w *Response, quick bool) bool {
	path, query := r.Path()
	switch {
	case bytes.HasPrefix(path, []byte("/slow")) && quick:
		return false
	case string(path) == "/stream":
		if quick {
			return false
		}
		w.Status, w.Length = 200, 3<<20
		w.Stream = func(to io.Writer) error {
			line := strings.Repeat("x", 1<<10)
			for range 3 << 10 {
				if _, err := io.WriteString(to, line); err != nil {
					return err
				}
			}
			return nil
		}
		return true
	}
	w.Status, w.ContentType = 200, "text/plain"
	w.Body = fmt.Appendf(w.Body, "%s %s?%s %s %s", r.Method, path, query, r.SOAPAction, r.Body)
	return true
}

func (e *echo) Refuse(r *Request, w *Response, why *Refusal) {
	w.Status = why.Status
	w.Body = fmt.Appendf(w.Body, "%s: %s", r.Target, why.Reason)
}

func (e *echo) Dropped(why *Refusal) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dropped = append(e.dropped, why.Reason)
}

func usual() Limits {
	return Limits{
		Header: 16 << 10, Fields: 100, Body: 1 << 20, Large: 32 << 10, LargeAtOnce: 8, Slow: 64, Waiting: 64, Requests: 1000, Connections: 1000, Refusals: 10,
		Handshake: time.Second, Sender: 10 * time.Second, Reader: time.Minute, Idle: time.Minute, Patience: time.Second, Linger: time.Second,
	}
}

// served starts a server and gives its address and how many connections are open.
func served(t testing.TB, handler Handler, limits Limits) *Server {
	t.Helper()
	return serveAs(t, &Server{Handler: handler, Limits: limits, Log: slog.New(slog.DiscardHandler)})
}

func serveAs(t testing.TB, s *Server) *Server {
	t.Helper()
	listener := listen(t)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = s.Drain(ctx, listener, 0) // some tests leave connections open
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	address[s] = listener.Addr().String()
	return s
}

var address = map[*Server]string{}

func listen(t testing.TB) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

func dial(t testing.TB, s *Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address[s])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// answers reads n answers: status and body, the last one with what ends it.
func answers(t testing.TB, conn net.Conn, n int) (out []string) {
	t.Helper()
	reader := bufio.NewReader(conn)
	for range n {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return append(out, err.Error())
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprintf("%d %s", response.StatusCode, body)
		if response.Close {
			said += " (close)"
		}
		out = append(out, said)
	}
	return out
}

func TestRequestsAndTheirAnswers(t *testing.T) {
	s := served(t, &echo{}, usual())
	f := func(requests string, want ...string) {
		t.Helper()
		for _, step := range []int{len(requests), 1, 7} {
			conn := dial(t, s)
			for at := 0; at < len(requests); at += step {
				if _, err := io.WriteString(conn, requests[at:min(at+step, len(requests))]); err != nil {
					break // it was refused before its end
				}
			}
			got := answers(t, conn, len(want))
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%q in steps of %d is answered\n%q, want\n%q", requests, step, got, want)
			}
			_ = conn.Close()
		}
	}
	f("GET /a?b=1 HTTP/1.1\r\nHost: x\r\n\r\n", "200 GET /a?b=1  ")
	f("\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n", "200 GET /a?  ")
	f("POST /a HTTP/1.1\r\nHost: x\r\nSOAPaction: \"q\"\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n", `200 POST /a? "q" abc`, "200 GET /b?  ")
	f("POST /slow HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\nPOST /slow2 HTTP/1.1\r\nContent-Length: 1\r\n\r\nz", "200 POST /slow?  abc", "200 GET /b?  ", "200 POST /slow2?  z")
	f("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0;x=y\r\n\r\nGET /b HTTP/1.1\r\n\r\n", "200 POST /a?  abc", "200 GET /b?  ")
	f("POST /slow HTTP/1.1\r\nTransfer-Encoding: Chunked\r\nTrailer: T\r\n\r\n3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nT: x\r\n\r\nGET /b HTTP/1.1\r\n\r\n", "200 POST /slow?  abc0123456789abcdef", "200 GET /b?  ")
	f("GET /a HTTP/1.0\r\n\r\nGET /b HTTP/1.0\r\n\r\n", "200 GET /a?   (close)", "unexpected EOF")
	f("GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET /b HTTP/1.0\r\n\r\n", "200 GET /a?  ", "200 GET /b?   (close)")
	f("GET /a HTTP/1.1\r\nConnection: close, x\r\n\r\n", "200 GET /a?   (close)", "unexpected EOF")
	f("GET http://h:1/a?b HTTP/1.1\r\n\r\n", "200 GET /a?b  ")
	f("GET /a HTTP/1.1\nHost: x\n\n", "200 GET /a?  ")
}

func TestWhatIsNoRequestIsRefusedAndTheConnectionEnds(t *testing.T) {
	s := served(t, &echo{}, usual())
	f := func(request, want string) {
		t.Helper()
		conn := dial(t, s)
		if _, err := io.WriteString(conn, request+"GET /smuggled HTTP/1.1\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		got := answers(t, conn, 2)
		if len(got) != 2 || got[0] != want+" (close)" || !strings.HasSuffix(got[1], "EOF") {
			t.Errorf("%.80q is answered %q, want %q and the end", request, got, want)
		}
		_ = conn.Close()
	}
	f("GET /a\r\n\r\n", "400 /a: malformed request")
	f("GET /a HTTP/2.0\r\n\r\n", "505 /a: unknown HTTP version")
	f("GET /a b HTTP/1.1\r\n\r\n", "400 /a: malformed request")
	f("G(T /a HTTP/1.1\r\n\r\n", "400 /a: malformed request")
	f("GET /\x00 HTTP/1.1\r\n\r\n", "400 /\x00: malformed request")
	f("GET /a HTTP/1.1\r\nHost : x\r\n\r\n", "400 /a: malformed request")
	f("GET /a HTTP/1.1\r\nX: y\r\n z\r\n\r\n", "400 /a: malformed request")
	f("GET /a HTTP/1.1\r\nX: \x00\r\n\r\n", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nContent-Length: +1\r\n\r\nx", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nContent-Length: 99999999999999999999999999\r\n\r\n", "413 /a: body too large")
	f("POST /a HTTP/1.1\r\nContent-Length: 1048577\r\n\r\n", "413 /a: body too large")
	f("POST /a HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "501 /a: unknown transfer coding")
	f("POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n", "413 /a: body too large")
	f("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n", "400 /a: malformed request")
	f("GET /a HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", "400 /a: malformed request")
	f("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: "+strings.Repeat("x", 16<<10)+"\r\n\r\n", "431 /a: header too large")
	f("POST /a HTTP/1.1\r\nExpect: cake\r\n\r\n", "417 /a: unknown expectation")
	f("GET /"+strings.Repeat("a", 16<<10)+" HTTP/1.1\r\n\r\n", "431 /"+strings.Repeat("a", 16<<10)+": header too large")
	f("GET /a HTTP/1.1\r\n"+strings.Repeat("X: y\r\n", 101)+"\r\n", "431 /a: too many header fields")
}

func TestAStreamComesWhole(t *testing.T) {
	s := served(t, &echo{}, usual())
	conn := dial(t, s)
	if _, err := io.WriteString(conn, "GET /stream HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	got := answers(t, conn, 2)
	if len(got) != 2 || len(got[0]) != len("200 ")+3<<20 || got[1] != "200 GET /b?  " {
		t.Errorf("%d answers, the first of %d bytes", len(got), len(got[0]))
	}
}

func TestALeaveToSendIsGiven(t *testing.T) {
	s := served(t, &echo{}, usual())
	conn := dial(t, s)
	if _, err := io.WriteString(conn, "POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	leave := make([]byte, len(continueHead))
	if _, err := io.ReadFull(conn, leave); err != nil || string(leave) != continueHead {
		t.Fatalf("%q, %v", leave, err)
	}
	if _, err := io.WriteString(conn, "abc"); err != nil {
		t.Fatal(err)
	}
	if got := answers(t, conn, 1); got[0] != "200 POST /a?  abc" {
		t.Errorf("%q", got)
	}
}

func TestLimitsOfTime(t *testing.T) {
	limits := usual()
	limits.Sender, limits.Idle, limits.Patience, limits.Connections = 50*time.Millisecond, 80*time.Millisecond, 50*time.Millisecond, 2
	s := served(t, &echo{}, limits)
	slow, idle := dial(t, s), dial(t, s)
	if _, err := io.WriteString(slow, "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\na"); err != nil {
		t.Fatal(err)
	}
	surplus := dial(t, s)
	if _, err := io.WriteString(surplus, "GET /s HTTP/1.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if got := answers(t, surplus, 1); got[0] != "503 /s: too many connections (close)" {
		t.Errorf("surplus: %q", got)
	}
	if got := answers(t, slow, 1); got[0] != "408 /a: request too slow (close)" {
		t.Errorf("slow: %q", got)
	}
	if got := answers(t, idle, 1); !strings.HasSuffix(got[0], "EOF") {
		t.Errorf("idle: %q", got)
	}
}

func TestRequestsOfAConnectionAreCounted(t *testing.T) {
	limits := usual()
	limits.Requests = 3
	s := served(t, &echo{}, limits)
	conn := dial(t, s)
	if _, err := io.WriteString(conn, strings.Repeat("GET /a HTTP/1.1\r\n\r\n", 2)+"GET /slow HTTP/1.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	got := answers(t, conn, 4)
	if len(got) != 4 || got[2] != "200 GET /slow?   (close)" || !strings.HasSuffix(got[3], "EOF") {
		t.Errorf("%q", got)
	}
}

// TestManyConnectionsAtOnce has clients ask quickly and slowly side by side.
func TestManyConnectionsAtOnce(t *testing.T) {
	s := served(t, &echo{}, usual())
	var clients sync.WaitGroup
	for i := range 50 {
		clients.Go(func() {
			conn, err := net.Dial("tcp", address[s])
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			reader := bufio.NewReader(conn)
			for n := range 100 {
				path := []string{"/a", "/slow"}[(i+n)%2]
				fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nContent-Length: 7\r\n\r\n%03d%04d", path, i, n)
				response, err := http.ReadResponse(reader, nil)
				if err != nil {
					t.Error(err)
					return
				}
				body, _ := io.ReadAll(response.Body)
				if want := fmt.Sprintf("POST %s?  %03d%04d", path, i, n); string(body) != want {
					t.Errorf("%q, want %q", body, want)
					return
				}
			}
		})
	}
	clients.Wait()
}
