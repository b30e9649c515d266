package server

import (
	"fmt"
	"net"
	"testing"
	"time"

	"asterism/internal/http1"
)

// TestConnectionsPastTheLimit: who comes last is told so, in its wire's shape,
// and those who are there go on.
func TestConnectionsPastTheLimit(t *testing.T) {
	t.Parallel()
	const most, refusals = 5, 3
	e := listenBare(t, 10, func(l *asteriskListener) {
		limits := &l.server.Limits
		limits.Connections, limits.Refusals, limits.Patience = most, refusals, time.Second
	})
	stop := steadily(t, e.Asterisk, asAsterisk("/rt/ps_aors/single", "id=5"), func() {})
	soon(t, "one connection is open", func() bool { return e.server.Open() == 1 }) // not that of askOnce
	for range most - 1 {
		e.connect(t)
	}
	soon(t, "all connections are open", func() bool { return e.server.Open() == most })
	counted := uint64(0)
	f := func(request, want string) {
		t.Helper()
		got := e.raw(t, request)
		if got.status != 503 || got.body != want || got.header.Get("Retry-After") != "1" || !got.last {
			t.Errorf("%.40q answers %d %q, last %v; want 503 %q and the end", request, got.status, got.body, got.last, want)
		}
		counted++
		soon(t, "it is closed", func() bool { return e.server.Open() == most })
	}
	for verb, want := range verbsAndFailures {
		f(asAsterisk("/rt/ps_aors/"+verb, "id=5"), want)
	}
	f(asAsterisk("/soap", "<a/>"), faultOf("Server", http1.TooManyConnections.Reason))
	f(asked("/lookup?number=1"), "")
	var silent []net.Conn
	for range refusals {
		silent = append(silent, e.connect(t))
	}
	soon(t, "the refusals are taken", func() bool { return e.server.Open() == most+refusals })
	if !endsSilently(t, e.connect(t)) {
		t.Error("a connection past the refusals was answered")
	}
	counted++
	for _, connection := range silent {
		if !endsSilently(t, connection) {
			t.Error("a silent connection past the limit was answered")
		}
	}
	soon(t, "they are closed", func() bool { return e.server.Open() == most })
	if got := e.rejected(http1.TooManyConnections.Reason); got != counted {
		t.Errorf("%d connections are counted, want %d", got, counted)
	}
	stop()
	soon(t, "a place is free", func() bool { return e.server.Open() < most })
	if got := e.raw(t, asAsterisk("/rt/ps_aors/single", "id=5")); got.status != 200 {
		t.Errorf("with a place free the answer is %d", got.status)
	}
}

// TestAConnectionEndsAfterItsRequests: the last answer says so, and none is lost.
func TestAConnectionEndsAfterItsRequests(t *testing.T) {
	t.Parallel()
	const most = 3
	e := listenBare(t, 10, func(l *asteriskListener) { l.server.Limits.Requests = most })
	connection := e.connect(t)
	for i := range most {
		send(t, connection, asAsterisk("/rt/ps_aors/single", fmt.Sprint("id=", i+1)))
		if got := receiveAnswer(t, connection); got.status != 200 || got.last != (i == most-1) {
			t.Errorf("request %d: %d, last %v", i+1, got.status, got.last)
		}
	}
	if !endsSilently(t, connection) {
		t.Error("the connection goes on")
	}
}
