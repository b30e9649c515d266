package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/directory"
	"asterism/internal/failure"
)

func open(t testing.TB, all *Tracers, f Filter) *Tracer {
	t.Helper()
	tracer, err := all.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tracer.Close)
	return tracer
}

func TestALineTellsTheExchangeWithoutSecrets(t *testing.T) {
	d := phones(t)
	all := New(d)
	f := func(of Filter, e *Exchange, want Line) {
		t.Helper()
		tracer := open(t, all, of)
		defer tracer.Close()
		all.Note(e)
		got, ok := tracer.Ready()
		if !ok {
			t.Fatal("no line")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	e := asks(t, d, "ps_auths", "id=6001 password=geheim")
	e.Time, e.Took, e.Client = time.Unix(1_760_000_000, 0), 12_345*time.Nanosecond, netip.MustParseAddrPort("192.0.2.5:41234")
	f(Filter{Key: "6001"}, e, Line{
		Time: e.Time, Client: "192.0.2.5:41234", Wire: "curl", Verb: "multi", Family: "ps_auths", Conditions: []string{"id=6001", "password=[secret]"},
		Outcome: Hit, Rows: 1, Answer: [][]string{{"id=6001", "password=[secret]", "username=6001"}}, Microseconds: 12.3,
	})
	client := "invalid AddrPort"
	f(Filter{Family: "ps_auths"}, &Exchange{
		Table: e.Table, Verb: "update", Outcome: Failed, Why: "failed write", Conditions: e.Conditions[:1],
		Fields: []Field{{[]byte("Password_Digest"), []byte("SHA-256:ab")}, {[]byte("realm"), []byte("x")}},
	}, Line{
		Client: client, Verb: "update", Family: "ps_auths", Conditions: []string{"id=6001"}, Fields: []string{"Password_Digest=[secret]", "realm=x"},
		Outcome: Failed, Error: "failed write",
	})
	f(Filter{Family: "ps_endpoints", Key: "6002"}, asks(t, d, "ps_endpoints", "id~%"), Line{
		Client: client, Wire: "curl", Verb: "multi", Family: "ps_endpoints", Conditions: []string{"id LIKE %"}, Outcome: Hit, Rows: 3,
		Answer: [][]string{{"id=6002", "context=in"}},
	})
	f(Filter{Family: "ast_config"}, asks(t, d, "ast_config", "filename=voicemail.conf"), Line{
		Client: client, Wire: "curl", Verb: "multi", Family: "ast_config", Conditions: []string{"filename=voicemail.conf"}, Outcome: Hit, Rows: 1,
		Answer: [][]string{{"id=1", "cat_metric=0", "var_metric=0", "filename=voicemail.conf", "category=default", "var_name=1001", "var_val=[secret]"}},
	})
}

func TestALineIsCut(t *testing.T) {
	d := phones(t)
	for i := range 500 {
		rowsOf(t, d, "ps_endpoints", fmt.Sprintf("id=%d context=%s", 7000+i, strings.Repeat("x", 30)))
	}
	all := New(d)
	tracer := open(t, all, Filter{Family: "ps_endpoints"})
	e := asks(t, d, "ps_endpoints", "id~%")
	long := []byte(strings.Repeat("é", 30_000))
	for range 512 {
		e.Conditions = append(e.Conditions, directory.Condition{Column: long, Value: long})
		e.Fields = append(e.Fields, Field{long, long})
	}
	all.Note(e)
	line, _ := tracer.Ready()
	size := 0
	for _, texts := range append(line.Answer, line.Conditions, line.Fields) {
		for _, text := range texts {
			size += len(text)
		}
	}
	if most := MaxShownRows + 2*MaxShownPart + 1000; size > most || line.Rows != 503 || len(line.Answer) > 120 || len(line.Answer) < 50 {
		t.Errorf("%d bytes, want at most %d; %d rows of %d", size, most, len(line.Answer), line.Rows)
	}
	if want := strings.Repeat("é", MaxShownValue/2) + "…=" + strings.Repeat("é", MaxShownValue/2) + "…"; line.Conditions[1] != want {
		t.Errorf("%s", line.Conditions[1])
	}
}

func TestASlowReaderLosesLinesAndIsTold(t *testing.T) {
	d := phones(t)
	all := New(d)
	slow := open(t, all, Filter{Family: "ps_endpoints"})
	e := asks(t, d, "ps_endpoints", "id=6001")
	for range MaxQueue + 5 {
		all.Note(e)
	}
	if line, _ := slow.Ready(); line.Outcome != Hit || line.Dropped != 0 {
		t.Errorf("the oldest line: %+v", line)
	}
	all.Note(e) // there is room for one: it tells what is missing before it
	for i := range MaxQueue - 1 {
		if line, ok := slow.Ready(); !ok || line.Dropped != 0 {
			t.Fatalf("line %d: %+v", i, line)
		}
	}
	if line, ok := slow.Ready(); !ok || line.Dropped != 5 || line.Outcome != Hit {
		t.Errorf("the line after the gap: %+v", line)
	}
	for range MaxQueue + 3 {
		all.Note(e)
	}
	for range MaxQueue {
		slow.Ready()
	}
	if line, ok := slow.Ready(); !ok || line.Dropped != 3 || line.Outcome != "" {
		t.Errorf("a gap at the end: %+v", line)
	}
	if _, ok := slow.Ready(); ok {
		t.Error("a line too many")
	}
}

func TestTracesAreLimited(t *testing.T) {
	all := New(phones(t))
	if all.Wanted() || (*Tracers)(nil).Wanted() {
		t.Error("wanted by nobody")
	}
	var tracers []*Tracer
	for range MaxTracers {
		tracers = append(tracers, open(t, all, Filter{Key: "6001"}))
	}
	if _, err := all.Open(Filter{Key: "6001"}); failure.KindOf(err) != failure.Full || !strings.Contains(err.Error(), "8 traces") {
		t.Errorf("one more: %v", err)
	}
	tracers[3].Close()
	tracers[3].Close()
	open(t, all, Filter{Key: "6001"}).Close()
	for _, tracer := range tracers {
		tracer.Close()
	}
	if all.Wanted() {
		t.Error("wanted after all closed")
	}
}

func TestTheEndOfTheNodeEndsTraces(t *testing.T) {
	d := phones(t)
	all := New(d)
	tracer := open(t, all, Filter{Key: "6001"})
	all.Note(asks(t, d, "ps_endpoints", "id=6001"))
	all.End()
	all.End()
	if line, err := tracer.Next(t.Context()); err != nil || line.Outcome != Hit {
		t.Errorf("what was seen before: %+v, %v", line, err)
	}
	if _, err := tracer.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("the end: %v", err)
	}
	if _, err := all.Open(Filter{Key: "6001"}); failure.KindOf(err) != failure.Unavailable {
		t.Errorf("a new trace: %v", err)
	}
}

// TestTracersComeAndGo: what every reader sees and what it is told to have
// missed are all exchanges since it began, none twice.
func TestTracersComeAndGo(t *testing.T) {
	d := phones(t)
	all := New(d)
	e := asks(t, d, "ps_endpoints", "id~%")
	ctx, cancel := context.WithCancel(t.Context())
	var readers, doors sync.WaitGroup
	const each, loops = 2000, 4
	for i := range MaxTracers - 1 {
		tracer := open(t, all, Filter{Family: "ps_endpoints"})
		readers.Go(func() {
			seen := uint64(0)
			for seen < each*loops {
				line, err := tracer.Next(ctx)
				if err != nil {
					t.Errorf("reader %d after %d: %v", i, seen, err)
					return
				}
				seen += line.Dropped
				if line.Outcome != "" {
					seen++
				}
			}
			if line, ok := tracer.Ready(); ok || seen != each*loops {
				t.Errorf("reader %d: %d exchanges and %+v, want %d", i, seen, line, each*loops)
			}
		})
	}
	for range loops {
		doors.Go(func() {
			for i := range each {
				all.Note(e)
				if i%100 == 0 {
					if tracer, err := all.Open(Filter{Key: "6002"}); err == nil {
						tracer.Close()
					}
				}
			}
		})
	}
	doors.Wait()
	timeout := time.AfterFunc(10*time.Second, cancel)
	readers.Wait()
	timeout.Stop()
	cancel()
}

func BenchmarkNote(b *testing.B) {
	d := phones(b)
	e := asks(b, d, "ps_endpoints", "id=6001")
	b.Run("nobody traces", func(b *testing.B) {
		all := New(d)
		for b.Loop() {
			if all.Wanted() {
				b.Fatal("wanted")
			}
		}
	})
	b.Run("another key", func(b *testing.B) {
		all := New(d)
		open(b, all, Filter{Key: "6002"})
		for b.Loop() {
			all.Note(e)
		}
	})
	b.Run("a reader that reads nothing", func(b *testing.B) {
		all := New(d)
		open(b, all, Filter{Key: "6001"})
		for b.Loop() {
			all.Note(e)
		}
	})
	b.Run("a line", func(b *testing.B) {
		all := New(d)
		tracer := open(b, all, Filter{Key: "6001"})
		for b.Loop() {
			all.Note(e)
			tracer.Ready()
		}
	})
}

func TestALineReadsBackFromJSON(t *testing.T) {
	f := func(l Line, want string) {
		t.Helper()
		text := l.AppendJSON(nil)
		if string(text) != want+"\n" {
			t.Errorf("%s, want\n%s", text, want)
		}
		var back Line
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(l, back); diff != "" {
			t.Error(diff)
		}
	}
	f(Line{Dropped: 7}, `{"dropped":7}`)
	f(Line{Time: time.Unix(1_760_000_000, 5).UTC(), Client: "[::1]:1", Wire: "curl", Verb: "single", Family: "ps_aors", Conditions: []string{"id=<\"\\\x1b\u202eé>"}, Outcome: Miss, Microseconds: 0.1},
		`{"time":"2025-10-09T08:53:20.000000005Z","client":"[::1]:1","wire":"curl","verb":"single","family":"ps_aors","conditions":["id=<\"\\\u001b`+"\u202e"+`é>"],`+
			`"outcome":"miss","rows":0,"microseconds":0.1}`)
	f(Line{Time: time.Unix(1_760_000_000, 0).UTC(), Fields: []string{"a=1", "b="}, Outcome: Wrote, Rows: 2, Error: "x", Answer: [][]string{{"id=1"}, {"id=2", "a=b"}}, Dropped: 3, Microseconds: 12},
		`{"time":"2025-10-09T08:53:20Z","client":"","wire":"","verb":"","family":"","fields":["a=1","b="],"outcome":"wrote","rows":2,"error":"x",`+
			`"answer":[["id=1"],["id=2","a=b"]],"microseconds":12,"dropped":3}`)
	invalid := Line{Time: time.Unix(0, 0), Verb: "\xff", Outcome: Failed}
	if text := invalid.AppendJSON(nil); !utf8.Valid(text) || !json.Valid(text) {
		t.Errorf("%q", text)
	}
}
