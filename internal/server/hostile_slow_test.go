package server

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"asterism/internal/http1"
)

// TestSlowSendersAreRefused: a request has to arrive as a whole within its time,
// however steadily its bytes come.
func TestSlowSendersAreRefused(t *testing.T) {
	t.Parallel()
	e := listenBare(t, 10, func(l *asteriskListener) {
		l.server.Limits.Sender, l.server.Limits.Idle = 500*time.Millisecond, 2*time.Second
	})
	stop := steadily(t, e.Asterisk, asAsterisk("/rt/ps_aors/single", "id=5"), func() {})
	var senders sync.WaitGroup
	f := func(request, want string) {
		senders.Go(func() {
			if got := e.drip(t, request); got.status != 408 || got.body != want || !got.last {
				t.Errorf("%.40q byte by byte answers %d %q, last %v; want 408 %q and the end", request, got.status, got.body, got.last, want)
			}
		})
	}
	body := strings.Repeat("max_contacts=2&", 1000)
	header := "\r\nHost: dir\r\nX: " + strings.Repeat("x", 10_000) + "\r\n\r\n"
	for verb, want := range verbsAndFailures {
		f("POST /rt/ps_aors/"+verb+" HTTP/1.1"+header, want)
		f(asAsterisk("/rt/ps_aors/"+verb, body), want)
	}
	f("POST /rt/ps_aors/store HTTP/1.1\r\nHost: dir\r\nTransfer-Encoding: chunked\r\n\r\n"+strings.Repeat("1\r\na\r\n", 2000), "-1")
	f(asAsterisk("/soap", body), faultOf("Client", "request too slow"))
	f("GET /lookup?number=1 HTTP/1.1"+header, "")
	f(asAsterisk("http://dir.example.net/rt/ps_aors/store", body), "-1")
	senders.Wait()
	if silent := e.connect(t); !endsSilently(t, silent) {
		t.Error("a connection that asks nothing was answered")
	}
	stop()
	if got, want := e.rejected("request too slow"), uint64(2*len(verbsAndFailures)+4); got != want {
		t.Errorf("%d requests are counted as too slow, want %d", got, want)
	}
}

// drip sends single bytes, after the first line one every 2 ms, until there is an answer.
func (s *serving) drip(t *testing.T, request string) answer {
	connection, err := net.Dial("tcp", s.Asterisk)
	if err != nil {
		t.Error(err)
		return answer{}
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Error(err)
	}
	answered := make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		next := time.NewTicker(2 * time.Millisecond)
		defer next.Stop()
		line := strings.Index(request, "\r\n")
		for i := range len(request) {
			if i > line {
				select {
				case <-answered:
					return
				case <-next.C:
				}
			}
			if _, err := io.WriteString(connection, request[i:i+1]); err != nil {
				return
			}
		}
	})
	got := receiveAnswer(t, connection)
	close(answered)
	sending.Wait()
	return got
}

// endsSilently tells whether a connection ends without a byte.
func endsSilently(t *testing.T, connection net.Conn) bool {
	t.Helper()
	got, err := io.ReadAll(connection)
	if err != nil {
		t.Errorf("a connection does not end: %v", err)
	}
	return len(got) == 0
}

// TestSlowReadersAreCutOff: an answer that is not taken holds its connection for
// a bounded time.
func TestSlowReadersAreCutOff(t *testing.T) {
	t.Parallel()
	const rows = 60_000 // of 250 bytes: more than the kernel's buffers take
	e := listenBare(t, rows, func(l *asteriskListener) { l.server.Limits.Reader = 300 * time.Millisecond })
	stop := steadily(t, e.Asterisk, asAsterisk("/rt/ps_aors/single", "id=5"), func() {})
	dialer := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) (err error) {
		broken := raw.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) })
		if err == nil {
			err = broken
		}
		return err
	}}
	const readers = 5
	for range readers {
		connection, err := dialer.DialContext(t.Context(), "tcp", e.Asterisk)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		send(t, connection, asAsterisk("/rt/ps_aors/multi", "id%20LIKE=%25"))
	}
	soon(t, "the slow readers are cut off", func() bool { return e.rejected(http1.NotTaken.Reason) == readers && e.server.Open() == 1 })
	if got := strings.Count(e.ask(t, "/rt/ps_aors/multi", "id%20LIKE=%25"), "\n"); got != rows {
		t.Errorf("a reader that takes its answer gets %d rows, want %d", got, rows)
	}
	stop()
}

// TestPlacesForLargeRequests: many large bodies that never come to their end must
// not hold memory together.
func TestPlacesForLargeRequests(t *testing.T) {
	t.Parallel()
	e := listenBare(t, 10, func(l *asteriskListener) { l.server.Limits.LargeAtOnce = 2 })
	stop := steadily(t, e.Asterisk, asAsterisk("/rt/ps_aors/single", "id=5"), func() {})
	announce := func(target string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: dir\r\nContent-Length: %d\r\n\r\n%s", target, MaxBody, strings.Repeat("&", LargeRequest))
	}
	var holders []net.Conn
	for range 2 {
		holder := e.connect(t)
		send(t, holder, announce("/rt/ps_aors/single"))
		holders = append(holders, holder)
	}
	soon(t, "both places are taken", func() bool { return e.server.Large() == 2 })
	f := func(target, want string) {
		t.Helper()
		got := e.raw(t, announce(target))
		if got.status != 503 || got.body != want || got.header.Get("Retry-After") != "1" || !got.last {
			t.Errorf("%s answers %d %q, want 503 %q", target, got.status, got.body, want)
		}
	}
	for verb, want := range verbsAndFailures {
		f("/rt/ps_aors/"+verb, want)
	}
	f("/soap", faultOf("Server", http1.TooManyLarge.Reason))
	if got, want := e.rejected(http1.TooManyLarge.Reason), uint64(len(verbsAndFailures)+1); got != want {
		t.Errorf("%d requests are counted, want %d", got, want)
	}
	small := "id=5&contact=" + strings.Repeat("x", 20_000)
	if got := e.raw(t, asAsterisk("/rt/ps_aors/single", small)); got.status != 200 {
		t.Errorf("a small request answers %d meanwhile", got.status)
	}
	for _, holder := range holders {
		_ = holder.Close()
	}
	soon(t, "the places are given back", func() bool { return e.server.Large() == 0 })
	many := strings.Repeat("id=5&"+strings.Repeat("x", 200)+"=&", 200)
	for range 3 { // one after the other over their own connections
		if got := e.raw(t, asAsterisk("/rt/ps_aors/single", many)); got.status != 200 {
			t.Errorf("a large request answers %d afterwards", got.status)
		}
	}
	soon(t, "what was answered holds no place", func() bool { return e.server.Large() == 0 })
	stop()
}
