package bench

import (
	"slices"
	"testing"
	"time"
)

func TestAFaultyReportIsRefused(t *testing.T) {
	f := func(fine bool, change func(*report)) {
		t.Helper()
		found := report{Requests: 5, Errors: 2, Latencies: latencies{{10, 1}, {20, 2}}}
		change(&found)
		if err := found.validate(); (err == nil) != fine {
			t.Errorf("%+v: error %v", found, err)
		}
	}
	f(true, func(*report) {})
	f(true, func(r *report) { r.Errors, r.Latencies = 5, nil })
	f(false, func(r *report) { r.Requests = 0 })
	f(false, func(r *report) { r.Errors = 6 })
	f(false, func(r *report) { r.Errors = 1 })
	f(false, func(r *report) { r.Latencies[0] = [2]int64{-1, 1} })
	f(false, func(r *report) { r.Latencies[0] = [2]int64{longestLatency.Microseconds() + 1, 1} })
	f(false, func(r *report) { r.Latencies[0] = [2]int64{10, 0} })
}

func TestLatenciesSurviveTheirList(t *testing.T) {
	counted := newLatencies()
	for _, elapsed := range []time.Duration{0, time.Microsecond, 2047 * time.Microsecond, 2049 * time.Microsecond, 2049 * time.Microsecond, 2 * longestLatency} {
		recordLatency(counted, elapsed)
	}
	again := newLatencies()
	for _, pair := range listLatencies(counted) {
		countLatency(again, pair[0], pair[1])
	}
	if !again.Equals(counted) {
		t.Errorf("%v", listLatencies(counted))
	}
	want := latencies{{0, 1}, {1, 1}, {2047, 1}, {2048, 2}}
	if list := listLatencies(counted); len(list) != 5 || !slices.Equal(list[:4], want) {
		t.Errorf("%v, want %v and the longest", list, want)
	}
}

func TestAJobSurvivesItsOptions(t *testing.T) {
	f := func(work job) {
		t.Helper()
		if got, err := parseJob(work.options()); err != nil || got != work {
			t.Errorf("got %+v, error %v, want %+v", got, err, work)
		}
	}
	work := jobFor(t, newDirectory(t, nil).address(t))
	f(work)
	work.NewConnections, work.Seed, work.Stream, work.Path = true, 1<<64-1, 1<<63, "/a%20b?c=d"
	f(work)
}
