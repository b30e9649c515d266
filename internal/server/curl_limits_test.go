package server

import (
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"

	"asterism/internal/http1"
	"asterism/internal/meter"
	"asterism/internal/realtime"
)

// verbsAndFailures says what a request that is refused before its door answers.
var verbsAndFailures = map[string]string{
	"single": "", "multi": "", "static?file=x": "", "update?id=x": "-1", "store": "-1", "destroy": "-1", "require": "-1",
}

// busy is a listener whose requests are refused before they reach a door.
func busy(allow ...netip.Prefix) *asteriskListener {
	door := &realtime.Door{Rejected: meter.NewVector("rejected", "", "reason")}
	return newAsteriskListener(door, nil, allow, slog.New(slog.DiscardHandler))
}

// answerTo gives what a listener answers to a client at an address.
func answerTo(l *asteriskListener, client, target string) *http1.Response {
	var w http1.Response
	l.Answer(&http1.Request{Method: []byte("POST"), Target: []byte(target), Remote: netip.MustParseAddrPort(client)}, &w, true)
	return &w
}

func TestOverloadIsAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	e := listenBare(t, 1000, func(l *asteriskListener) { l.server.Limits.Slow = 0 })
	refused := uint64(0)
	f := func(target, body, want string) {
		t.Helper()
		got := e.raw(t, asAsterisk(target, body))
		if got.status != 503 || got.body != want || got.header.Get("Retry-After") != "1" {
			t.Errorf("%s answers %d %q, %v; want 503 %q", target, got.status, got.body, got.header, want)
		}
		refused++
	}
	for verb, want := range verbsAndFailures {
		if verb != "single" {
			f("/rt/ps_aors/"+verb, "id%20LIKE=%25", want)
		}
	}
	f("/soap", `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body><RealtimeStore xmlns="urn:asterism:v1"><family>ps_aors</family>`+
		`<field><name>id</name><value>x</value></field></RealtimeStore></Body></Envelope>`, faultOf("Server", "overload"))
	if n := e.rejected("overload"); n != refused {
		t.Errorf("%d refusals are counted, want %d", n, refused)
	}
	if got := e.raw(t, asAsterisk("/rt/ps_aors/single", "id=5")); got.status != 200 || got.body == "" {
		t.Errorf("a quick question is answered %d %q meanwhile", got.status, got.body)
	}
}

func TestOnlyAllowedNetworksAreAnswered(t *testing.T) {
	t.Parallel()
	l := busy(netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32"))
	f := func(client string, status int) {
		t.Helper()
		if got := answerTo(l, client, "/nosuch").Status; got != status {
			t.Errorf("%s is answered %d, want %d", client, got, status)
		}
	}
	f("192.0.2.7:4000", 404) // came through; there is nothing at that path
	f("[::ffff:192.0.2.7]:4000", 404)
	f("[2001:db8::1]:4000", 404)
	f("127.0.0.1:4000", 404)
	f("[::1]:4000", 404)
	f("192.0.3.7:4000", 403)
	f("[::ffff:192.0.3.7]:4000", 403)
	f("[2001:db9::1]:4000", 403)
	if n := l.realtime.Rejected.With("client not allowed").Value(); n != 3 {
		t.Errorf("%d refusals are counted, want 3", n)
	}
	for verb, want := range verbsAndFailures {
		got := answerTo(l, "203.0.113.1:4000", "/rt/ps_aors/"+verb)
		if got.Status != 403 || string(got.Body) != want {
			t.Errorf("%s is refused with %d %q, want 403 %q", verb, got.Status, got.Body, want)
		}
	}
	open := busy()
	if got := answerTo(open, "203.0.113.1:4000", "/nosuch").Status; got != 404 {
		t.Errorf("without networks a client is answered %d, want 404", got)
	}
}

func TestABodyTooLarge(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO ps_aors (id, max_contacts) VALUES ('x', 1)`)
	announced := func(target, more string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: dir\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n%s\r\n", target, MaxBody+1, more)
	}
	f := func(request, want string) {
		t.Helper()
		got := s.raw(t, request)
		if got.status != 413 || got.body != want {
			t.Errorf("%.60q answers %d %q, want 413 %q", request, got.status, got.body, want)
		}
	}
	for verb, want := range verbsAndFailures {
		if strings.HasPrefix(verb, "static") {
			continue // asks with GET
		}
		f(announced("/rt/ps_aors/"+verb, ""), want)
		// As libcurl announces a body above 1 MB.
		f(announced("/rt/ps_aors/"+verb, "Expect: 100-continue\r\n"), want)
	}
	f(announced("/soap", ""), faultOf("Client", "body too large"))
	chunk := strings.Repeat("max_contacts=2&", 1<<12)
	var chunked strings.Builder
	chunked.WriteString("POST /rt/ps_aors/update?id=x HTTP/1.1\r\nHost: dir\r\nTransfer-Encoding: chunked\r\n\r\n")
	for chunked.Len() <= MaxBody {
		fmt.Fprintf(&chunked, "%x\r\n%s\r\n", len(chunk), chunk)
	}
	f(chunked.String(), "-1")
	if n := s.metric(t, `asterism_rejected_total{reason="body too large"}`); n != 14 {
		t.Errorf("%v bodies are counted as too large, want 14", n)
	}
	if got := o.text("SELECT id || max_contacts FROM ps_aors"); got != "x1" {
		t.Errorf("SQL holds %s", got)
	}
	just := "id=y&contact=" + strings.Repeat("x", realtime.MaxValue)
	just += strings.Repeat("&", MaxBody-len(just))
	if got := s.ask(t, "/rt/ps_aors/store", just); got != "1" {
		t.Errorf("a body of just %d bytes answers %q, want 1", MaxBody, got)
	}
}

func TestAHeaderTooLarge(t *testing.T) {
	t.Parallel()
	s := start(t, testConfig(t))
	f := func(target, want string) {
		t.Helper()
		got := s.raw(t, asked(target+strings.Repeat("x", MaxHeader)))
		if got.status != 431 || got.body != want {
			t.Errorf("%s answers %d %q, want 431 %q", target, got.status, got.body, want)
		}
	}
	f("/rt/ps_aors/single?id=", "")
	f("/rt/ps_aors/update?id=a(b,contact=", "-1")
	got := s.raw(t, "POST /rt/ps_aors/update?id=1 HTTP/1.1\r\nHost: dir\r\nContent-Length: 14\r\nX: "+strings.Repeat("x", MaxHeader)+"\r\n\r\nmax_contacts=2")
	if got.status != 431 || got.body != "-1" {
		t.Errorf("update with a header too large answers %d %q, want 431 -1", got.status, got.body)
	}
}

func TestWhatIsNoHTTP(t *testing.T) {
	t.Parallel()
	s := start(t, testConfig(t))
	for _, text := range []string{"hello\r\n\r\n", "POST\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"} {
		if got := s.raw(t, text); got.status != 400 || got.body != "" {
			t.Errorf("%q answers %d %q, want 400 and nothing", text, got.status, got.body)
		}
	}
}
