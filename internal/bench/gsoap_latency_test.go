package bench

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// A process has one request in flight, so the latencies together are at least
// what the server took and at most what the process took.
func gsoapLatencies(t *testing.T, program string) {
	var took time.Duration // one request at a time
	served := newDirectory(t, func(d *directory) {
		d.before = func(*http.Request) {
			// From where each microsecond has its counter to where 16 share one.
			busy := time.Millisecond << (d.answers.Load() % 6)
			took += busy
			for begun := time.Now(); time.Since(begun) < busy; {
			}
		}
	})
	work := jobFor(t, served.address(t))
	work.Requests = 12
	measured, err := runRound(t.Context(), Plan{Executable: program}, work, 1)
	if err != nil {
		t.Fatal(err)
	}
	found := measured.reports[0]
	sum := time.Duration(0)
	for _, pair := range found.Latencies {
		sum += time.Duration(pair[0]*pair[1]) * time.Microsecond
	}
	if whole := time.Duration(found.Finished - found.Started); found.Errors != 0 || sum < took-took/1000 || sum > whole {
		t.Errorf("%d errors; latencies of %v together, the server took %v of %v", found.Errors, sum, took, whole)
	}
}

// latencyMain counts the nanoseconds of its arguments as the client does.
const latencyMain = `
#include <stdlib.h>
#include "latency.h"

int main(int argc, char **argv)
{
	static struct latencies latencies;

	for (int i = 1; i < argc; i++)
		latency_record(&latencies, atoll(argv[i]));
	latency_write(&latencies, stdout);
}
`

// gsoapHistogram holds that C counts as the histogram of the Go client does.
func gsoapHistogram(t *testing.T, program string) {
	folder := t.TempDir()
	source, counter := filepath.Join(folder, "main.c"), filepath.Join(folder, "counter")
	if err := os.WriteFile(source, []byte(latencyMain), 0o600); err != nil {
		t.Fatal(err)
	}
	client := filepath.Join(filepath.Dir(program), "..")
	compile := exec.CommandContext(t.Context(), "gcc", "-I", client, "-o", counter, source, filepath.Join(client, "latency.c"))
	if said, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	counted := newLatencies()
	var arguments []string
	for edge := time.Duration(1); edge < 4*longestLatency; edge *= 2 {
		for _, elapsed := range []time.Duration{edge, edge * 1000, edge*1000 - 1, edge * 1414, edge * 1000} {
			recordLatency(counted, elapsed)
			arguments = append(arguments, strconv.FormatInt(int64(elapsed), 10))
		}
	}
	out, err := exec.CommandContext(t.Context(), counter, arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got latencies
	if want := listLatencies(counted); json.Unmarshal(out, &got) != nil || !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %v", out, want)
	}
}
