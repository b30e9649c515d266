package test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// schedule is an open loop: requests are due by the clock, whether or not those
// before are answered, and a request's time counts from when it was due. So a
// node that stalls is seen as slow by all that come meanwhile.
type schedule struct {
	begin time.Time
	every time.Duration
	count int
}

// share gives the k-th of n connections its part of a rate.
func share(begin time.Time, perSecond int, during time.Duration, k, n int) schedule {
	every := time.Duration(n) * time.Second / time.Duration(perSecond)
	return schedule{begin.Add(every * time.Duration(k) / time.Duration(n)), every, int(during / every)}
}

// timed are the times of requests, and how late this side sent them though
// their connection was free.
type timed struct {
	took, late []time.Duration
	err        error // the first, which ended the schedule
}

// keep asks by the schedule.
func (s schedule) keep(ask func(n int) error) timed {
	out := timed{took: make([]time.Duration, 0, s.count), late: make([]time.Duration, 0, s.count)}
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for n := range s.count {
		due, free := s.begin.Add(time.Duration(n)*s.every), time.Now()
		if wait := due.Sub(free); wait > 0 {
			timer.Reset(wait)
			<-timer.C
			free = due
		}
		out.late = append(out.late, time.Since(free))
		if out.err = ask(n); out.err != nil {
			return out
		}
		out.took = append(out.took, time.Since(due))
	}
	return out
}

// together runs something on many connections at once and gathers the times.
func together(t *testing.T, n int, run func(k int) timed) timed {
	t.Helper()
	var all timed
	var mu sync.Mutex // guards all
	var running sync.WaitGroup
	for k := range n {
		running.Go(func() {
			one := run(k)
			mu.Lock()
			defer mu.Unlock()
			all.took, all.late = append(all.took, one.took...), append(all.late, one.late...)
			if one.err != nil {
				t.Errorf("connection %d: %v", k, one.err)
			}
		})
	}
	running.Wait()
	slices.Sort(all.took)
	slices.Sort(all.late)
	return all
}

// quantile takes sorted times.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(q*float64(len(sorted)-1))]
}

// String shows the times.
func (d timed) String() string {
	at := func(q float64) string { return fmt.Sprintf("%.2f", float64(quantile(d.took, q).Microseconds())/1000) }
	text := fmt.Sprintf("%d times p50 %s, p99 %s, p99.9 %s, worst %s ms", len(d.took), at(0.5), at(0.99), at(0.999), at(1))
	if len(d.late) > 0 {
		text += fmt.Sprintf("; sent late by p50 %v, p99 %v", quantile(d.late, 0.5), quantile(d.late, 0.99))
	}
	return text
}
