package main

import (
	"slices"
	"time"

	"asterism/test/lab"
	figures "asterism/test/report"
)

// result is what a case cost.
type result struct {
	one
	boots          []time.Duration
	bootCPU        time.Duration // of the median boot
	first, refresh load
	calls          load
	storm          load
	others         float64 // share of the machine that others took during the loads
	version        string
	complaints     int // warnings and errors of Asterisk
	aComplaint     string
	bootRequests   int
	bootServerCPU  time.Duration
}

// load is one run of SIPp and what it cost.
type load struct {
	lab.Calls
	asterisk, server time.Duration // CPU
	requests         int
	others           float64
}

// each is a share of the load for one register or call.
func (l load) each(d time.Duration) time.Duration { return d / time.Duration(max(l.Good, 1)) }

func (l load) perSecond() float64 { return float64(l.Good) / l.Took.Seconds() }

// measureAll measures one case after the other.
func measureAll(s *scope, p plan) []result {
	var results []result
	for _, c := range cases(p) {
		s.inner(func(s *scope) {
			s.Logf("%s, %d endpoints", c.name, c.phones)
			results = append(results, measure(s, p, c))
		})
	}
	return results
}

// measure boots some times and then loads the last.
func measure(s *scope, p plan, c one) result {
	everything := population{phones: lab.Phones{First: 1_000_000, Count: c.phones}, numbers: 20_000}
	if c.boxes {
		everything.phones.Mailboxes = "default"
	}
	c.driver.Prepare(s, everything)
	r := result{one: c, version: p.release.Version(s)}
	type boot struct{ took, cpu time.Duration }
	var boots []boot
	for i := range p.boots {
		last := i == p.boots-1
		s.inner(func(s *scope) {
			requests, server := c.driver.Requests(s), c.driver.CPU(s)
			a := p.release.Start(s, with(c.driver))
			boots = append(boots, boot{a.Boot, a.BootCPU})
			r.bootRequests, r.bootServerCPU = c.driver.Requests(s)-requests, c.driver.CPU(s)-server
			s.Logf("  booted in %v, %v of CPU, %d requests", a.Boot.Round(time.Millisecond), a.BootCPU, r.bootRequests)
			if last && !c.boots {
				r.loads(s, p, a, everything)
			}
			if last {
				faults := a.Faults(s)
				r.complaints = len(faults)
				if len(faults) > 0 {
					r.aComplaint = faults[0]
					s.Logf("  %d complaints, the first: %s", len(faults), faults[0])
				}
			}
		})
	}
	slices.SortFunc(boots, func(a, b boot) int { return int(a.took - b.took) })
	r.bootCPU = boots[len(boots)/2].cpu
	for _, b := range boots {
		r.boots = append(r.boots, b.took)
	}
	return r
}

// boot is the median.
func (r result) boot() time.Duration { return r.boots[len(r.boots)/2] }

// loads registers, refreshes, calls.
func (r *result) loads(s *scope, p plan, a *lab.Asterisk, everything population) {
	some := everything.phones.Part(0, min(p.registers, everything.phones.Count))
	register := some.Registering(a, 5998, 3600, 50)
	r.first = r.load(s, a, "first", register)
	r.refresh = r.load(s, a, "refresh", register)
	calls := lab.SIPp{
		Scenario: "call", To: a.SIP, Calls: p.calls, InFlight: 20, Keys: map[string]string{"payloads": "0 8", "pause": "0"}, Timeout: 5 * time.Minute,
	}
	for i, line := range some.Part(0, min(p.calls, some.Count)).Lines(func(string) string { return "" }) {
		line[2] = everything.number(i * 7919)
		calls.Lines = append(calls.Lines, line)
	}
	r.calls = r.load(s, a, "calls", calls)
	if r.one.storm {
		storm := everything.phones.Registering(a, 5997, 3600, 50)
		r.storm = r.load(s, a, "storm", storm)
	}
}

// load runs SIPp and tells what it cost.
func (r *result) load(s *scope, a *lab.Asterisk, what string, run lab.SIPp) load {
	machine := machineCPU(s)
	asterisk, server, requests := a.CPU(s), r.driver.CPU(s), r.driver.Requests(s)
	calls := run.Run(s)
	l := load{Calls: calls, asterisk: a.CPU(s) - asterisk, server: r.driver.CPU(s) - server, requests: r.driver.Requests(s) - requests}
	after := machineCPU(s)
	own := l.asterisk + l.server + calls.CPU
	l.others = max(0, float64(after.Busy-machine.Busy-own)/float64(after.All-machine.All))
	s.Logf("  %s: %d good, %d bad, %.0f/s, p50 %v, p99 %v, Asterisk %v each, server %v each, %.1f requests each, others %.0f %%", what, l.Good, l.Bad, l.perSecond(),
		l.Quantile(0.5), l.Quantile(0.99), l.each(l.asterisk), l.each(l.server), float64(l.requests)/float64(max(l.Good, 1)), 100*l.others)
	if l.Bad > 0 {
		s.Logf("  %.1000s", l.Errors)
	}
	return l
}

func machineCPU(s *scope) figures.Usage {
	u, err := figures.MachineCPU()
	if err != nil {
		s.Fatalf("%v", err)
	}
	return u
}
