package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"asterism/internal/failure"
	"asterism/internal/trace"
)

// watching is a trace under way.
type watching struct {
	lines chan trace.Line
	ended chan error
	stop  context.CancelFunc
}

// trace traces over the control socket until the test ends.
func (s *serving) trace(t testing.TB, of trace.Filter) *watching {
	t.Helper()
	client, err := Dial(s.config.Node.State)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	w := &watching{lines: make(chan trace.Line, 100_000), ended: make(chan error, 1), stop: cancel}
	begun := make(chan struct{})
	go func() {
		w.ended <- client.Trace(ctx, of, func() { close(begun) }, func(raw []byte) error {
			line, err := parseLine(raw)
			w.lines <- line
			return err
		})
	}()
	t.Cleanup(cancel)
	select {
	case <-begun:
	case err := <-w.ended:
		t.Fatal(err)
	}
	return w
}

// parsing keeps the tests' many readers apart: packages that are built without the
// race detector hide from it how encoding/json shares what it knows of a type.
var parsing sync.Mutex

func parseLine(raw []byte) (line trace.Line, err error) {
	parsing.Lock()
	defer parsing.Unlock()
	err = json.Unmarshal(raw, &line)
	return line, err
}

// next gives the next line.
func (w *watching) next(t testing.TB) trace.Line {
	t.Helper()
	select {
	case line := <-w.lines:
		return line
	case <-time.After(patience):
		t.Fatal("no line")
	}
	return trace.Line{}
}

// brief is a line without what differs from run to run.
func brief(t testing.TB, l trace.Line) string {
	t.Helper()
	if !strings.HasPrefix(l.Client, "127.0.0.1:") || time.Since(l.Time) > patience || l.Microseconds <= 0 || l.Dropped > 0 {
		t.Errorf("a line of %s at %v, %v µs, %d dropped", l.Client, l.Time, l.Microseconds, l.Dropped)
	}
	var answer []string
	for _, row := range l.Answer {
		answer = append(answer, strings.Join(row, "&"))
	}
	return fmt.Sprintf("%s %s %s [%s] [%s] %s %d %q", l.Wire, l.Verb, l.Family, strings.Join(l.Conditions, "&"), strings.Join(l.Fields, "&"), l.Outcome, l.Rows,
		strings.Join(append(answer, l.Error), "|"))
}

func TestTraceTellsWhatIsAskedAboutAPhone(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO ps_endpoints (id, context) VALUES ('6001', 'in'), ('6002', 'in')`,
		`INSERT INTO ps_auths (id, username, password) VALUES ('6001', '6001', 'geheim')`,
		`INSERT INTO numbers (number, codecs, enabled) VALUES ('6001', 'ulaw', 'yes'), ('6001/off', 'ulaw', 'no'), ('6001@off', 'ulaw', 'no')`)
	w := s.trace(t, trace.Filter{Key: "6001"})
	f := func(want string, ask func()) {
		t.Helper()
		ask()
		if got := brief(t, w.next(t)); got != want {
			t.Errorf("%s, want\n%s", got, want)
		}
	}
	curl := func(target, body string) func() { return func() { s.ask(t, target, body) } }
	over := func(operation, family, conditions, fields string) func() {
		return func() { s.raw(t, call(plainHeader, realtimeCall(operation, family, conditions, fields))) }
	}
	s.ask(t, "/rt/ps_endpoints/single", "id=6002")
	f(`curl single ps_endpoints [id=6001] [] hit 1 "id=6001&context=in|"`, curl("/rt/ps_endpoints/single", "id=6001"))
	f(`curl multi ps_endpoints [id LIKE %] [] hit 2 "id=6001&context=in|"`, curl("/rt/ps_endpoints/multi", "id%20LIKE=%25"))
	f(`curl single ps_endpoints [id=6001@example.com] [] miss 0 ""`, curl("/rt/ps_endpoints/single", "id=6001%40example.com"))
	f(`curl single ps_auths [id=6001] [] hit 1 "id=6001&password=[secret]&username=6001|"`, curl("/rt/ps_auths/single", "id=6001"))
	f(`curl update ps_auths [id=6001] [password=[secret]] wrote 1 ""`, curl("/rt/ps_auths/update?id=6001", "password=new"))
	f(`curl store ps_contacts [] [id=6001;@c4&uri=sip:1&expiration_time=4102444800] wrote 1 ""`,
		curl("/rt/ps_contacts/store", "id=6001%3B%40c4&uri=sip%3A1&expiration_time=4102444800"))
	f(`curl multi ps_contacts [id LIKE 6001;@%] [] hit 1 "id=6001;@c4&uri=sip:1&expiration_time=4102444800|"`, curl("/rt/ps_contacts/multi", "id%20LIKE=6001%3B%40%25"))
	f(`curl destroy ps_contacts [id=6001;@c4] [] wrote 1 ""`, curl("/rt/ps_contacts/destroy", "id=6001%3B%40c4&"))
	f(`curl update ps_aors [nosuch=6001] [a=b] failed 0 "ps_aors has no column \"nosuch\""`, curl("/rt/ps_aors/update?nosuch=6001", "a=b"))
	f(`curl single ps_aors [nosuch=6001] [] miss 0 "the table has no column nosuch"`, curl("/rt/ps_aors/single", "nosuch=6001"))
	f(`lookup codecs numbers [number=6001] [] hit 1 "number=6001&codecs=ulaw&enabled=yes|"`, func() { s.get(t, "/lookup?number=6001") })
	f(`lookup note numbers [number=6001@x&tenant=t] [] miss 0 ""`, func() { s.get(t, "/lookup?number=6001@x&tenant=t&field=note") })
	f(`lookup codecs numbers [number=6001@off] [] miss 0 "the number is not enabled"`, func() { s.get(t, "/lookup?number=6001@off") })
	f(`soap RealtimeSingle ps_auths [id=6001] [] hit 1 "id=6001&password=[secret]&username=6001|"`, over("RealtimeSingle", "ps_auths", "id 6001", ""))
	f(`soap RealtimeMulti ps_contacts [id LIKE 6001;@%] [] miss 0 ""`, over("RealtimeMulti", "ps_contacts", "id LIKE 6001;@%", ""))
	f(`soap RealtimeUpdate ps_auths [id=6001] [md5_cred=[secret]&realm=x] wrote 1 ""`, over("RealtimeUpdate", "ps_auths", "id 6001", "md5_cred=abc, realm=x"))
	f(`soap RealtimeUpdate ps_aors [nosuch=6001] [a=b] failed 0 "ps_aors has no column \"nosuch\""`, over("RealtimeUpdate", "ps_aors", "nosuch 6001", "a=b"))
	f(`soap GetCodecs numbers [number=6001] [] hit 1 "number=6001&codecs=ulaw&enabled=yes|"`, func() {
		s.raw(t, call(plainHeader, soapOpen+`<GetCodecs xmlns="urn:asterism:v1"><number>6001</number></GetCodecs>`+soapClose))
	})
	w.stop()
	<-w.ended
}

func TestTraceTellsAllOfAFamily(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO ast_config (filename, category, var_name, var_val, cat_metric, var_metric) VALUES ('manager.conf', 'ann', 'secret', 'geheim', 0, 0)`)
	w := s.trace(t, trace.Filter{Family: "ast_config"})
	s.get(t, "/rt/ps_aors/single?id=1")
	f := func(want, target string) {
		t.Helper()
		s.get(t, target)
		if got := brief(t, w.next(t)); got != want {
			t.Errorf("%s, want\n%s", got, want)
		}
	}
	f(`curl static ast_config [file=manager.conf] [] hit 1 ""`, "/rt/ast_config/static?file=manager.conf")
	f(`curl static ast_config [file=no.conf] [] miss 0 ""`, "/rt/ast_config/static?file=no.conf")
	f(`curl multi ast_config [filename=manager.conf] [] hit 1 "id=1&cat_metric=0&var_metric=0&filename=manager.conf&category=ann&var_name=secret&var_val=[secret]|"`,
		"/rt/ast_config/multi?filename=manager.conf")
	s.ask(t, "/rt/ast_config/require", "var_val=char&id=integer")
	if got, want := brief(t, w.next(t)), `curl require ast_config [] [var_val=[secret]&id=integer] hit 0 ""`; got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// TestAReaderThatReadsNothingHoldsNobody: its questions are answered, other
// traces see them, and once it reads it is told what it missed.
func TestAReaderThatReadsNothingHoldsNobody(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO ps_endpoints (id, context) VALUES ('6001', '`+strings.Repeat("x", 150)+`')`)
	socket, err := net.Dial("unix", filepath.Join(s.config.Node.State, SocketName))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	send(t, socket, "POST /trace?family=ps_endpoints HTTP/1.1\r\nHost: node\r\nContent-Length: 0\r\n\r\n")
	slow := bufio.NewReader(socket)
	response, err := http.ReadResponse(slow, nil)
	if err != nil {
		t.Fatal(err)
	}
	quick := s.trace(t, trace.Filter{Key: "6001"})
	var phones sync.WaitGroup
	const loops, each = 4, 1500
	for range loops {
		phones.Go(func() {
			for range each {
				if _, got := s.post(t, "/rt/ps_endpoints/single", "id=6001"); !strings.HasPrefix(got, "id=6001&context=x") {
					t.Errorf("%q", got)
					return
				}
			}
		})
	}
	phones.Wait()
	count := func(seen *int, line trace.Line) {
		*seen += int(line.Dropped)
		if line.Outcome != "" {
			*seen++
		}
	}
	for seen := 0; seen < loops*each; {
		count(&seen, quick.next(t))
	}
	lines, dropped := json.NewDecoder(response.Body), 0
	for seen := 0; seen < loops*each; {
		var raw json.RawMessage
		if err := lines.Decode(&raw); err != nil {
			t.Fatalf("after %d: %v", seen, err)
		}
		line, err := parseLine(raw)
		if err != nil {
			t.Fatal(err)
		}
		dropped += int(line.Dropped)
		count(&seen, line)
	}
	if dropped == 0 {
		t.Error("it read nothing and missed nothing: did it trace?")
	}
}

func TestTheEndOfTheNodeEndsATraceThatNobodyReads(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO ps_endpoints (id, context) VALUES ('6001', '`+strings.Repeat("x", 150)+`')`)
	quick := s.trace(t, trace.Filter{Key: "6001"})
	socket, err := net.Dial("unix", filepath.Join(s.config.Node.State, SocketName))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	send(t, socket, "POST /trace?key=6001 HTTP/1.1\r\nHost: node\r\nContent-Length: 0\r\n\r\n")
	if _, err := http.ReadResponse(bufio.NewReader(socket), nil); err != nil {
		t.Fatal(err)
	}
	for range 3000 { // more than the socket takes
		s.post(t, "/rt/ps_endpoints/single", "id=6001")
	}
	start := time.Now()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > drainGrace+peopleDrain {
		t.Errorf("the end took %v", took)
	}
	select {
	case err := <-quick.ended:
		if !errors.Is(err, io.EOF) {
			t.Errorf("the trace ends with %v", err)
		}
	case <-time.After(patience):
		t.Error("the trace goes on")
	}
}

func TestATraceThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t)
	client, err := Dial(s.config.Node.State)
	if err != nil {
		t.Fatal(err)
	}
	f := func(of trace.Filter, kind failure.Kind, want string) {
		t.Helper()
		err := client.Trace(t.Context(), of, func() { t.Error("it began") }, func([]byte) error { return nil })
		if failure.KindOf(err) != kind || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", of, err)
		}
	}
	f(trace.Filter{Family: "ps_aor"}, failure.Unknown, "did you mean ps_aors?")
	f(trace.Filter{}, failure.Invalid, "neither")
	var running []*watching
	for range trace.MaxTracers {
		running = append(running, s.trace(t, trace.Filter{Key: "1"}))
	}
	f(trace.Filter{Key: "1"}, failure.Full, "8 traces")
	running[0].stop() // a client that hangs up
	soon(t, "its place is free", func() bool {
		ctx, begun := context.WithCancel(t.Context())
		defer begun()
		err := client.Trace(ctx, trace.Filter{Key: "1"}, begun, func([]byte) error { return nil })
		return failure.KindOf(err) != failure.Full
	})
}
