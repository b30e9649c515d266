package cli

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"asterism/internal/trace"
)

// page is what a command that goes on has printed so far.
type page struct {
	mu   sync.Mutex // guards text
	text strings.Builder
}

// Write implements io.Writer.
func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *page) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// until waits until a page holds a text.
func (p *page) until(t *testing.T, text string) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	end := time.After(20 * time.Second)
	for !strings.Contains(p.String(), text) {
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("no %q in %q", text, p.String())
		}
	}
}

// tracing is a trace command that runs beside the test.
func (h *home) tracing(args ...string) (out, said *page, ended chan int, stop context.CancelFunc) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	h.t.Cleanup(cancel)
	out, said, ended = &page{}, &page{}, make(chan int, 1)
	go func() {
		ended <- Run(ctx, append(append([]string{"trace"}, args...), "--config", h.file), strings.NewReader(""), out, said)
	}()
	said.until(h.t, "tracing; Ctrl-C ends it\n")
	return out, said, ended, cancel
}

// ask asks the node as Asterisk does.
func (h *home) ask(target, body string) {
	h.t.Helper()
	response, err := http.Post(h.url+target, "application/x-www-form-urlencoded", strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		h.t.Fatal(err)
	}
}

func TestTraceShowsWhatAPhoneIsAskedFor(t *testing.T) {
	h := newHome(t)
	h.must("set", "ps_endpoints", "6001", "context=in", `callerid="Ann" <6001>`)
	h.must("set", "ps_auths", "6001", "password=geheim")
	h.serve()
	out, said, ended, _ := h.tracing("--key", "6001", "--count", "3")
	h.ask("/rt/ps_endpoints/single", "id=6001")
	h.ask("/rt/ps_endpoints/single", "id=6002")
	h.ask("/rt/ps_endpoints/single", "id=6001%40a%1B%5B2J")
	h.ask("/rt/ps_auths/update?id=6001", "password=new")
	if code := <-ended; code != fine {
		t.Errorf("exit %d, %s", code, said)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 4 {
		t.Fatalf("%q", lines)
	}
	for i, words := range [][]string{
		{" 127.0.0.1:", " curl single ps_endpoints id=6001 -> hit, 1 row, ", ` µs: id=6001, context=in, callerid="Ann" <6001>`},
		{` curl single ps_endpoints "id=6001@a\x1b[2J" -> miss, 0 rows, `},
		{" curl update ps_auths id=6001 set password=[secret] -> wrote, 1 row, "},
	} {
		for _, word := range words {
			if !strings.Contains(lines[i], word) {
				t.Errorf("line %d is %q, want %q in it", i, lines[i], word)
			}
		}
	}
	text := h.must("status")
	if !strings.Contains(text, "asked for and absent, last minute:\n") || !strings.Contains(text, "id=6002 ") || strings.Contains(text, "\x1b") {
		t.Errorf("status shows %q", text)
	}
}

func TestTraceEndsWhenItShould(t *testing.T) {
	h := newHome(t)
	h.serve()
	out, said, ended, stop := h.tracing("--family", "ps_aors", "--json")
	h.ask("/rt/ps_aors/single", "id=1")
	out.until(t, "}\n")
	var line trace.Line
	if err := json.Unmarshal([]byte(out.String()), &line); err != nil || line.Outcome != trace.Miss || line.Family != "ps_aors" {
		t.Errorf("%s: %v", out, err)
	}
	stop() // as Ctrl-C does
	if code := <-ended; code != fine {
		t.Errorf("stopped: exit %d, %s", code, said)
	}
	_, said, ended, _ = h.tracing("--key", "1", "--for", "50ms")
	if code := <-ended; code != fine {
		t.Errorf("its time is over: exit %d, %s", code, said)
	}
	if got := h.run("trace", "--family", "ps_aor"); got.code != bad || got.err != "asterism: trace: no family \"ps_aor\"\nhint: did you mean ps_aors?\n" {
		t.Errorf("%+v", got)
	}
}

func TestATraceThatTheNodeEndsSaysSo(t *testing.T) {
	var said *page
	var ended chan int
	t.Run("a node", func(t *testing.T) {
		h := newHome(t)
		h.serve()
		out := &page{}
		said, ended = &page{}, make(chan int, 1)
		go func() {
			ended <- Run(context.Background(), []string{"trace", "--key", "1", "--config", h.file}, strings.NewReader(""), out, said)
		}()
		said.until(t, "tracing")
	})
	if code := <-ended; code != bad || !strings.Contains(said.String(), "asterism: the trace was cut off: the node ended") {
		t.Errorf("exit %d, %s", code, said)
	}
}

func TestLinesThatWereDroppedAreTold(t *testing.T) {
	f := func(want string, l trace.Line) {
		t.Helper()
		if got := textOf(&l); !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f("12 lines were dropped: they came faster than they were read\n", trace.Line{Dropped: 12})
	f(" curl multi a -> hit, 3 rows, 2 µs: id=1 | id=2 | and 1 more\n",
		trace.Line{Wire: "curl", Verb: "multi", Family: "a", Outcome: trace.Hit, Rows: 3, Microseconds: 2, Answer: [][]string{{"id=1"}, {"id=2"}}})
	f(" curl update a -> failed (no \"b\"), 0 rows, 2 µs\n",
		trace.Line{Wire: "curl", Verb: "update", Family: "a", Outcome: trace.Failed, Microseconds: 2, Error: `no "b"`})
}
