package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// TestACaseIsMeasured runs the whole harness on few phones, so that a long run does
// not end without its figures.
func TestACaseIsMeasured(t *testing.T) {
	lab.Asterisk22.Root(t)
	lab.NeedProgram(t, "sipp")
	lab.NeedProgram(t, "sqlite3")
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "bench-asterisk.md"))
	if err != nil {
		t.Fatal(err)
	}
	document := filepath.Join(t.TempDir(), "bench-asterisk.md")
	if err := os.WriteFile(document, page, 0o600); err != nil {
		t.Fatal(err)
	}
	p := plan{
		release: lab.Asterisk22, phones: 20, registers: 10, calls: 5, inFlight: 10, refreshes: 1, boots: 1, only: []string{"files", "native", "storm"}, command: "go test", document: document,
	}
	if err := run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`go test`, ", "| files | 20 |", "| curl, memory_cache, listing none | 20 |", "| res_config_asterism | 20 |", "| no failure in a storm of 20 first REGISTERs, curl | 0 | yes |", "| no failure in any load | 0 of 70 | yes |", "| res_config_asterism: at least 0.5 times the refreshes of files |"} {
		if !strings.Contains(string(written), want) {
			t.Errorf("no %q in\n%s", want, written)
		}
	}
	for _, name := range []string{registerChart, bootChart} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(document), name)); err != nil {
			t.Error(err)
		}
	}
}

// broken is a driver whose server does not start.
type broken struct{ files }

func (*broken) Prepare(s *scope, _ population) { s.Fatalf("it does not start") }

func TestACaseThatFailsLosesNoOther(t *testing.T) {
	lab.Asterisk22.Root(t)
	lab.NeedProgram(t, "sqlite3")
	p := plan{release: lab.Asterisk22, boots: 1}
	var results []result
	var fault error
	if err := within(t.Context(), func(s *scope) {
		results, fault = measureAll(s, p, []one{{key: "broken", driver: &broken{}}, {key: "files", driver: &files{}, phones: 10, what: nothing}})
	}); err != nil {
		t.Fatal(err)
	}
	if fault == nil || fault.Error() != "case broken: it does not start" {
		t.Errorf("the fault is %v", fault)
	}
	if len(results) != 1 || results[0].key != "files" || len(results[0].boots) != 1 {
		t.Errorf("measured %+v", results)
	}
}

func TestAimsTellWhatWasNotReached(t *testing.T) {
	took := func(d time.Duration) []boot { return []boot{{took: d / 2}, {took: d}, {took: 3 * d}} }
	got := aims([]result{
		{one: one{key: "pgsql", phones: 10}, boots: took(10 * time.Second), first: load{Calls: lab.Calls{Good: 9, Bad: 1}}, refreshes: []load{{Calls: lab.Calls{Bad: 2}}}},
		{one: one{key: "curl", phones: 10}, boots: took(11 * time.Second)},
		{one: one{key: "none", phones: 10}, boots: took(3 * time.Second)},
		{one: one{key: "many", phones: 100}, boots: took(2 * time.Second)},
		{one: one{key: "storm", phones: 10, driver: &asterism{engine: lab.Curl}}, boots: took(time.Second), storm: load{Calls: lab.Calls{Good: 9}}},
		{one: one{key: "native", name: "res_config_asterism", phones: 10}, boots: took(4 * time.Second), refresh: load{Calls: lab.Calls{Good: 600, Took: time.Second}, asterisk: 600 * 1301 * time.Microsecond}},
		{one: one{key: "files", name: "files", phones: 10}, boots: took(time.Second), refresh: load{Calls: lab.Calls{Good: 1000, Took: time.Second}}},
	})
	for _, want := range []string{
		"| boot with the default listing at most 1.1 times that of res_config_pgsql | 1.10 | yes |",
		"| boot with listing none, 10 endpoints, in less than 3 s | 3.0 | **no** |", "| boot with listing none, 100 endpoints, in less than 3 s | 2.0 | yes |",
		"| boot with res_config_asterism at most 0.4 times that of res_config_pgsql | 0.40 | yes |", "| res_config_asterism: at least 0.5 times the refreshes of files | 0.60 | yes |",
		"| res_config_asterism: at most 1.3 ms of Asterisk's CPU for a refresh | 1.30 | **no** |",
		"| no failure in a storm of 10 first REGISTERs, curl | 1 | **no** |", "| no failure in any load | 3 of 21 | **no** |",
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := aims([]result{{one: one{key: "curl"}, boots: took(time.Second)}}); strings.Contains(got, "boot") {
		t.Errorf("without pgsql:\n%s", got)
	}
}

func TestWhatAScopeStartedEndsWithIt(t *testing.T) {
	var ended []string
	var folder string
	err := within(t.Context(), func(s *scope) {
		s.Cleanup(func() { ended = append(ended, "first") })
		folder = s.TempDir()
		s.inner(func(s *scope) {
			s.Cleanup(func() { ended = append(ended, "inner"); s.Errorf("no clean end") })
			s.Fatalf("broken %d", 1)
		})
		t.Error("it went on")
	})
	if got := strings.Join(ended, " "); got != "inner first" {
		t.Errorf("ended %q", got)
	}
	if err == nil || !strings.Contains(err.Error(), "broken 1") || !strings.Contains(err.Error(), "no clean end") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder is left: %v", err)
	}
}

func TestCasesAreChosenByTheirKeys(t *testing.T) {
	p := plan{only: []string{"curl", "files"}}
	if err := p.choose("16"); err != nil || p.release != lab.Asterisk16 || len(cases(p)) != 2 {
		t.Errorf("%v: %d cases of %+v", err, len(cases(p)), p)
	}
	p.only = []string{"files", "other"}
	if err := p.choose("22"); err == nil || !strings.Contains(err.Error(), "files,pgsql,odbc,curl") {
		t.Errorf("an unknown case: %v", err)
	}
	if err := (&plan{}).choose("18"); err == nil {
		t.Error("Asterisk 18 was accepted")
	}
}
