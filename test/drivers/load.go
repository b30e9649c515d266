package main

import (
	"time"

	"asterism/test/lab"
)

// loaded is an Asterisk with what it asks.
type loaded struct {
	*lab.Asterisk
	driver driver
}

// afterBoot waits for what a boot leaves to be done.
func (to loaded) afterBoot(s *scope) after {
	began, requests := time.Now(), to.driver.Requests(s)
	to.calm(s)
	a := after{took: time.Since(began) - calmFor*calmWindow, requests: to.driver.Requests(s) - requests}
	s.Logf("  calm after %v and %d requests more", a.took.Round(time.Millisecond), a.requests)
	return a
}

// load runs SIPp and tells what it cost. What Asterisk does for a REGISTER after its
// answer belongs to the costs, so they are read when all is calm again.
func (to loaded) load(s *scope, what string, run lab.SIPp) load {
	machine, requests := machineCPU(s), to.driver.Requests(s) // asking for them costs the server too
	asterisk, server := to.CPU(s), to.driver.CPU(s)
	l := load{Calls: run.Run(s)}
	ours := to.CPU(s) - asterisk + to.driver.CPU(s) - server + l.Calls.CPU
	l.others = others(machine, machineCPU(s), ours)
	to.calm(s)
	l.asterisk, l.server, l.requests = to.CPU(s)-asterisk, to.driver.CPU(s)-server, to.driver.Requests(s)-requests
	s.Logf("  %s: %d good, %d bad, %.0f/s, p50 %v, p99 %v, Asterisk %v each, server %v each, %.1f requests each, others %.0f %%", what, l.Good, l.Bad, l.perSecond(),
		l.Quantile(0.5), l.Quantile(0.99), l.each(l.asterisk), l.each(l.server), float64(l.requests)/float64(max(l.Good, 1)), 100*l.others)
	if l.Bad > 0 {
		s.Logf("  %.1000s", l.Errors)
	}
	return l
}

// Asterisk is calm when it has used less than calmCPU in each of calmFor windows.
const (
	calmFor    = 3
	calmWindow = 300 * time.Millisecond
	calmCPU    = 20 * time.Millisecond
	calmWithin = 10 * time.Minute
)

// calm waits until Asterisk has done what it began, such as the device states of all
// endpoints after a boot: each is a question.
func (to loaded) calm(s *scope) {
	window := time.NewTicker(calmWindow)
	defer window.Stop()
	late := time.NewTimer(calmWithin)
	defer late.Stop()
	before := to.CPU(s)
	for calm := 0; calm < calmFor; {
		select {
		case <-window.C:
		case <-late.C:
			s.Fatalf("Asterisk is not calm after %v", calmWithin)
		case <-s.ctx.Done():
			s.Fatalf("stopped: %v", s.ctx.Err())
		}
		now := to.CPU(s)
		if calm++; now-before >= calmCPU {
			calm = 0
		}
		before = now
	}
}
