package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"asterism/test/lab"
	figures "asterism/test/report"
)

// result is what a case cost.
type result struct {
	one
	version                      string
	boots                        []boot // the quickest first
	after                        after  // the last boot
	first, refresh, calls, storm load
	refreshes                    []load // the slowest first; refresh is the median
	complaints                   int    // warnings and errors of Asterisk and of the server
}

// all are the loads that were run; those that were not are empty.
func (r result) all() []load { return append([]load{r.first, r.calls, r.storm}, r.refreshes...) }

// boot is one start of an Asterisk.
type boot struct {
	took, asterisk, server time.Duration // the last two are CPU
	requests               int
	others                 float64 // share of the machine that other processes took
}

// after is what an Asterisk still does when it has booted, until it is calm.
type after struct {
	took     time.Duration
	requests int
}

// load is one run of SIPp and what it cost, to the moment when all is calm again.
type load struct {
	lab.Calls
	asterisk, server time.Duration // CPU
	requests         int
	others           float64
}

// each is a share of the load for one register or call.
func (l load) each(d time.Duration) time.Duration { return d / time.Duration(max(l.Good, 1)) }

func (l load) perSecond() float64 { return float64(l.Good) / l.Took.Seconds() }

// measureAll measures one case after the other. What a long run has found is not
// lost when one of them goes wrong.
func measureAll(s *scope, p plan, all []one) ([]result, error) {
	var results []result
	var faults []error
	for _, c := range all {
		s.Logf("%s, %d endpoints", c.name, c.phones)
		err := within(s.ctx, func(s *scope) { results = append(results, measure(s, p, c)) })
		if err == nil {
			continue
		}
		s.Logf("  %v", err)
		faults = append(faults, fmt.Errorf("case %s: %w", c.key, err))
		if s.ctx.Err() != nil {
			break
		}
	}
	return results, errors.Join(faults...)
}

// stormWithin is for a machine that has other things to do.
const stormWithin = 30 * time.Minute

// measure boots some times and then loads the last.
func measure(s *scope, p plan, c one) result {
	everything := population{phones: lab.Phones{First: 1_000_000, Count: c.phones}, numbers: 20_000, live: c.live}
	if c.boxes {
		everything.phones.Mailboxes = "default"
	}
	c.driver.Prepare(s, everything)
	r := result{one: c, version: p.release.Version(s)}
	for range min(p.boots, cmp.Or(c.boots, p.boots)) - 1 {
		s.inner(func(s *scope) { r.boot(s, p) })
	}
	a := r.boot(s, p)
	to := loaded{Asterisk: a, driver: c.driver}
	r.after = to.afterBoot(s)
	switch c.what {
	case loads:
		r.loads(s, p, to, everything)
	case onlyStorm:
		storm := everything.phones.Registering(a, 5998, 3600, p.inFlight)
		storm.Timeout = stormWithin
		r.storm = to.load(s, "storm", storm)
	case nothing:
	}
	complaints := append(a.Faults(s), c.driver.Complaints(s)...)
	if r.complaints = len(complaints); r.complaints > 0 {
		s.Logf("  %d complaints, the first: %s", len(complaints), complaints[0])
	}
	slices.SortFunc(r.boots, func(a, b boot) int { return cmp.Compare(a.took, b.took) })
	return r
}

// boot starts an Asterisk and notes what that cost.
func (r *result) boot(s *scope, p plan) *lab.Asterisk {
	machine, requests, server := machineCPU(s), r.driver.Requests(s), r.driver.CPU(s)
	a := p.release.With(r.driver.Engine()).Start(s, with(r.driver, p.workers))
	b := boot{took: a.Boot, asterisk: a.BootCPU, server: r.driver.CPU(s) - server, requests: r.driver.Requests(s) - requests}
	b.others = others(machine, machineCPU(s), b.asterisk+b.server)
	s.Logf("  booted in %v, CPU %v, the server's %v, %d requests, others %.0f %%", b.took.Round(time.Millisecond), b.asterisk, b.server, b.requests, 100*b.others)
	r.boots = append(r.boots, b)
	return a
}

// median is the boot in the middle.
func (r result) median() boot { return r.boots[len(r.boots)/2] }

// loads registers, refreshes, calls.
func (r *result) loads(s *scope, p plan, to loaded, everything population) {
	some := everything.phones.Part(0, min(p.registers, everything.phones.Count))
	register := some.Registering(to.Asterisk, 5998, 3600, p.inFlight)
	r.first = to.load(s, "first", register)
	for range p.refreshes {
		r.refreshes = append(r.refreshes, to.load(s, "refresh", register))
	}
	slices.SortFunc(r.refreshes, func(a, b load) int { return cmp.Compare(a.perSecond(), b.perSecond()) })
	r.refresh = r.refreshes[len(r.refreshes)/2]
	calls := lab.SIPp{
		Scenario: "call", To: to.SIP, Calls: p.calls, InFlight: p.inFlight, Keys: map[string]string{"payloads": "0 8", "pause": "0"}, Timeout: 5 * time.Minute,
	}
	for i, line := range some.Part(0, min(p.calls, some.Count)).Lines(func(string) string { return "" }) {
		line[2] = everything.number(i * 7919)
		calls.Lines = append(calls.Lines, line)
	}
	r.calls = to.load(s, "calls", calls)
}

// others is the share of the machine that none of ours took between two moments.
func others(from, to figures.Usage, ours time.Duration) float64 {
	return max(0, float64(to.Busy-from.Busy-ours)/float64(max(1, to.All-from.All)))
}

func machineCPU(s *scope) figures.Usage {
	u, err := figures.MachineCPU()
	if err != nil {
		s.Fatalf("%v", err)
	}
	return u
}
