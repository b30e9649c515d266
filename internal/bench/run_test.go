package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// planFor is a small plan whose client processes are this test binary.
func planFor(t *testing.T, door, url string) Plan {
	t.Helper()
	t.Setenv(childVariable, "client")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector would make each child linger for a second
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Plan{
		Door:       door,
		URL:        url,
		Numbers:    writePhoneBook(t),
		Processes:  []int{1, 2},
		Requests:   20,
		Executable: executable,
	}
}

func TestEveryRequestIsCounted(t *testing.T) {
	f := func(door string, newConnections bool, connection string) {
		t.Helper()
		served := newDirectory(t, nil)
		plan := planFor(t, door, served.url(door))
		plan.NewConnections = newConnections
		results, err := Run(t.Context(), plan)
		if err != nil {
			t.Fatalf("%s, %s: %v", door, connection, err)
		}
		if len(results) != 2 || served.answers.Load() != 60 {
			t.Fatalf("%s, %s: %d results and %d answers, want 2 and 60", door, connection, len(results), served.answers.Load())
		}
		for i, result := range results {
			processes := plan.Processes[i]
			if result.Client != "go" || result.Door != door || result.Connection != connection || result.Processes != processes {
				t.Errorf("wrong names in %+v", result)
			}
			if result.Requests != 20*processes || result.Errors != 0 {
				t.Errorf("%d requests, %d errors, want %d and 0: %s", result.Requests, result.Errors, 20*processes, result.FirstError)
			}
			if result.Seconds <= 0 || result.RequestsPerSecond <= 0 || result.SecondsPerRequest <= 0 || result.ClientRSSBytes < 1<<20 {
				t.Errorf("missing figures in %+v", result)
			}
			if result.P50Ms <= 0 || result.P99Ms < result.P50Ms || result.MaxMs < result.P99Ms {
				t.Errorf("latencies out of order in %+v", result)
			}
		}
	}
	f("soap", false, "keep-alive")
	f("soap", true, "new")
	f("curl", false, "keep-alive")
	f("curl", true, "new")
}

func TestConnectionsAreNewOnlyWhenAskedFor(t *testing.T) {
	f := func(newConnections bool, want int64) {
		t.Helper()
		served := newDirectory(t, nil)
		plan := planFor(t, "curl", served.url("curl"))
		plan.NewConnections = newConnections
		if _, err := Run(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
		if got := served.accepted.Load(); got != want {
			t.Errorf("new connections %v: server accepted %d, want %d", newConnections, got, want)
		}
	}
	f(false, 3)
	f(true, 60)
}

func TestAWrongAnswerIsAnError(t *testing.T) {
	f := func(door string) {
		t.Helper()
		served := newDirectory(t, func(d *directory) { d.liesAbout = "+14155550102" })
		plan := planFor(t, door, served.url(door))
		plan.Processes = []int{2}
		results, err := Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		result := results[0]
		if lies := int(served.lies.Load()); lies == 0 || result.Errors != lies {
			t.Errorf("%s: %d errors, server gave %d wrong answers", door, result.Errors, lies)
		}
		for _, part := range []string{"+14155550102", "opus,g722,alaw,ulaw", "lpc10"} {
			if !strings.Contains(result.FirstError, part) {
				t.Errorf("%s: first error %q does not name %q", door, result.FirstError, part)
			}
		}
	}
	f("soap")
	f("curl")
}

func TestWithoutCodecsInTheFileAnyAnswerIsRight(t *testing.T) {
	served := newDirectory(t, func(d *directory) { d.liesAbout = "+14155550102" })
	plan := planFor(t, "curl", served.url("curl"))
	plan.Numbers = writeNumbers(t, "number", "+14155550102")
	results, err := Run(t.Context(), plan)
	if err != nil || results[0].Errors != 0 {
		t.Errorf("results %+v, error %v", results, err)
	}
}

func TestAnotherStatusIsAnError(t *testing.T) {
	served := newDirectory(t, nil)
	plan := planFor(t, "soap", served.URL+"/elsewhere")
	plan.Processes = []int{1}
	results, err := Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Errors != 20 || !strings.Contains(results[0].FirstError, "status 404") {
		t.Errorf("%d errors, first %q", results[0].Errors, results[0].FirstError)
	}
}

func TestRefusedConnectionsAreCounted(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	results, err := Run(t.Context(), planFor(t, "soap", "http://"+address+"/soap"))
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		if result.Errors != result.Requests || result.RequestsPerSecond != 0 || result.MaxMs != 0 {
			t.Errorf("a refusing server has figures: %+v", result)
		}
		if !strings.Contains(result.FirstError, "refused") {
			t.Errorf("first error %q", result.FirstError)
		}
	}
}

func TestAServerThatClosesIsAskedAgain(t *testing.T) {
	served := newDirectory(t, nil)
	served.Config.SetKeepAlivesEnabled(false)
	plan := planFor(t, "soap", served.url("soap"))
	plan.Processes = []int{1}
	results, err := Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Errors != 0 || served.accepted.Load() != 20 {
		t.Errorf("%d connections, %d errors: %s", served.accepted.Load(), results[0].Errors, results[0].FirstError)
	}
}

// A process has one request in flight, so when the first request is answered
// only after the second has come, both processes must ask at the same time.
func TestProcessesAskTogether(t *testing.T) {
	var arrived atomic.Int64
	both := make(chan struct{})
	served := newDirectory(t, func(d *directory) {
		d.before = func(r *http.Request) {
			if arrived.Add(1) == 2 {
				close(both)
			}
			select {
			case <-both:
			case <-r.Context().Done():
			}
		}
	})
	plan := planFor(t, "curl", served.url("curl"))
	plan.Processes = []int{2}
	results, err := Run(t.Context(), plan)
	if err != nil || results[0].Errors != 0 {
		t.Errorf("results %+v, error %v", results, err)
	}
}

func TestCancelEndsTheClientProcesses(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	served := newDirectory(t, func(d *directory) {
		d.before = func(r *http.Request) {
			cancel()
			<-r.Context().Done() // ends when the client process does
			close(gone)
		}
	})
	plan := planFor(t, "curl", served.url("curl"))
	plan.Processes = []int{1}
	begun := time.Now()
	if _, err := Run(ctx, plan); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the context was cancelled", err)
	}
	<-gone
	if took := time.Since(begun); took > requestDeadline/2 {
		t.Errorf("took %v", took)
	}
}

func TestServerCPUIsMeasured(t *testing.T) {
	served := newDirectory(t, func(d *directory) {
		d.before = func(*http.Request) {
			// Four ticks over 20 requests: the kernel's rounding cannot hide that.
			begun, _ := ownCPU()
			for now := begun; now < begun+tick/5; now, _ = ownCPU() {
			}
		}
	})
	plan := planFor(t, "curl", served.url("curl"))
	plan.Processes = []int{1}
	results, err := Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	if results[0].ServerCPUPercent <= 0 || results[0].ServerCPUMicrosPerRequest <= 0 {
		t.Errorf("no server CPU in %+v", results[0])
	}
}

func TestAClientProcessThatFailsIsQuoted(t *testing.T) {
	served := newDirectory(t, nil)
	f := func(kind string, want ...string) {
		t.Helper()
		plan := planFor(t, "soap", served.url("soap"))
		t.Setenv(childVariable, kind)
		_, err := Run(t.Context(), plan)
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v, want %q in it", kind, err, part)
			}
		}
	}
	f("complainer", "1 client processes", "exit status 3", "this child cannot ask")
	f("chatterer", "wait until ready", "invalid character")

	plan := planFor(t, "soap", served.url("soap"))
	plan.Executable += ".absent"
	if _, err := Run(t.Context(), plan); err == nil || !strings.Contains(err.Error(), plan.Executable) {
		t.Errorf("error %v does not name %s", err, plan.Executable)
	}
}

func TestResultKeepsTheOrderOfItsFields(t *testing.T) {
	text, err := json.Marshal(Result{FirstError: "for people only"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"client":"","door":"","connection":"","processes":0,"requests":0,"errors":0,"seconds":0,` +
		`"seconds_per_request":0,"requests_per_second":0,"p50_ms":0,"p99_ms":0,"max_ms":0,` +
		`"server_cpu_us_per_request":0,"server_cpu_percent":0,"client_cpu_percent":0,"client_rss_bytes":0}`
	if !bytes.Equal(text, []byte(want)) {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}
