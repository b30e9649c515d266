package server

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// huge is the size of a body that nobody should read, in bytes.
const huge = 100 << 20

// faultOf is what SOAP answers to a request that is refused before its door.
func faultOf(code, reason string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Body>` +
		`<SOAP-ENV:Fault><faultcode>SOAP-ENV:` + code + `</faultcode><faultstring>refused: ` + reason + `</faultstring></SOAP-ENV:Fault></SOAP-ENV:Body></SOAP-ENV:Envelope>`
}

// flood sends a beginning and then pieces up to a size, as far as they are taken,
// and gives the answer and how much was sent.
func (s *serving) flood(t *testing.T, begin string, piece []byte, size int) (a answer, sent int) {
	t.Helper()
	connection := s.connect(t)
	defer connection.Close()
	var sending sync.WaitGroup
	sending.Go(func() {
		if _, err := io.WriteString(connection, begin); err != nil {
			return
		}
		for sent < size {
			n, err := connection.Write(piece)
			sent += n
			if err != nil {
				return
			}
		}
	})
	a = receiveAnswer(t, connection)
	_ = connection.SetWriteDeadline(time.Now())
	sending.Wait()
	return a, sent
}

// TestHugeRequestsAreCutOff: bodies, forms and fields without end, from many at
// once, cost no memory and disturb nobody.
func TestHugeRequestsAreCutOff(t *testing.T) {
	a := startApart(t)
	a.ask(t, "/rt/ps_aors/store", "id=6001&max_contacts=2")
	before := a.resident(t)
	peak := 0
	stop := steadily(t, a.Asterisk, asAsterisk("/rt/ps_aors/single", "id=6001"), func() { peak = max(peak, residentOf(t, a.pid)) })
	plain := bytes.Repeat([]byte("max_contacts=2&"), 4096)
	chunk := fmt.Appendf(nil, "%x\r\n%s\r\n", len(plain), plain)
	many := strings.Repeat("max_contacts=2&", 10_000)
	long := "id=" + strings.Repeat("x", 1_000_000)
	counted := map[string]int{}
	f := func(target, want, fault string) {
		t.Helper()
		announced := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: dir\r\nContent-Length: %d\r\n\r\n", target, huge)
		chunked := "POST " + target + " HTTP/1.1\r\nHost: dir\r\nTransfer-Encoding: chunked\r\n\r\n"
		tooLarge := want
		if fault != "" {
			tooLarge = fault
		}
		for begin, piece := range map[string][]byte{announced: plain, chunked: chunk} {
			got, sent := a.flood(t, begin, piece, huge)
			if got.status != 413 || got.body != tooLarge || !got.last {
				t.Errorf("%.60q answers %d %q, last %v; want 413 %q and the end", begin, got.status, got.body, got.last, tooLarge)
			}
			if sent > huge/4 {
				t.Errorf("of %.60q %d bytes were taken", begin, sent)
			}
			counted["body too large"]++
		}
		if fault != "" {
			return
		}
		for body, reason := range map[string]string{many: "too many fields", long: "field too long"} {
			if got := a.raw(t, asAsterisk(target, body)); got.status != 400 || got.body != want {
				t.Errorf("%s with %s answers %d %q, want 400 %q", target, reason, got.status, got.body, want)
			}
			counted[reason]++
		}
	}
	for verb, want := range verbsAndFailures {
		if !strings.HasPrefix(verb, "static") { // asks with GET
			f("/rt/ps_aors/"+verb, want, "")
		}
	}
	f("/soap", "", faultOf("Client", "body too large"))
	a.attackAtOnce(t, asAsterisk("/rt/ps_aors/update?id=6001", long), 500)
	stop()
	a.refuseForms(t, counted)
	if got := a.ask(t, "/rt/ps_aors/single", "id=6001"); got != "id=6001&max_contacts=2" {
		t.Errorf("afterwards the row is %q", got)
	}
	for reason, want := range counted {
		if got := a.metric(t, `asterism_rejected_total{reason="`+reason+`"}`); got != float64(want) && reason != "field too long" { // sent at once as well, when it got a place
			t.Errorf("%v requests are counted as %s, want %d", got, reason, want)
		}
	}
	after := a.resident(t)
	t.Logf("%d KB before, at most %d KB, %d KB after", before>>10, peak>>10, after>>10)
	// All places for large requests, twice as the collector lets garbage grow, and some.
	if peak-before > memoryFactor*5*MaxLargeRequests*MaxBody/2 || after-before > memoryFactor*16<<20 {
		t.Errorf("memory grew from %d KB to %d KB and stayed at %d KB", before>>10, peak>>10, after>>10)
	}
}

// refuseForms asks too much of the questions that come by GET.
func (s *serving) refuseForms(t *testing.T, counted map[string]int) {
	t.Helper()
	f := func(target, reason string, status int) {
		t.Helper()
		if got := s.raw(t, asked(target)); got.status != status || got.body != "" {
			t.Errorf("%.40s answers %d %q, want %d and nothing", target, got.status, got.body, status)
		}
		counted[reason]++
	}
	f("/lookup?"+strings.Repeat("number=1&", 1000), "too many fields", 400)
	f("/lookup?number="+strings.Repeat("1", MaxHeader), "header too large", 431)
	f("/lookup?"+strings.Repeat("n", 300)+"=1", "field too long", 400)
	f("/rt/ast_config/static?"+strings.Repeat("file=x&", 1000), "too many fields", 400)
	header := "GET /lookup?number=1 HTTP/1.1\r\nHost: dir\r\n" + strings.Repeat("X: y\r\n", MaxHeaderFields) + "\r\n"
	if got := s.raw(t, header); got.status != 431 || got.body != "" {
		t.Errorf("a header of many fields answers %d %q, want 431 and nothing", got.status, got.body)
	}
	counted["too many header fields"]++
}

// attackAtOnce sends a request over many connections before it reads any answer.
func (s *serving) attackAtOnce(t *testing.T, request string, connections int) {
	t.Helper()
	var attackers sync.WaitGroup
	for range connections {
		attackers.Go(func() {
			connection, err := net.Dial("tcp", s.Asterisk)
			if err != nil {
				t.Error(err)
				return
			}
			defer connection.Close()
			_, _ = io.WriteString(connection, strings.Replace(request, "\r\n", "\r\nConnection: close\r\n", 1)) // may be cut off
			got, _ := io.ReadAll(io.LimitReader(connection, 1<<20))
			if !bytes.HasSuffix(got, []byte("\r\n\r\n-1")) && len(got) > 0 {
				t.Errorf("an attacker is answered %q", got)
			}
		})
	}
	attackers.Wait()
}
