package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"asterism/test/lab"
)

// plan says what is measured.
type plan struct {
	release   lab.Release
	phones    int // endpoints in all cases
	many      int // endpoints of the case with listing none
	registers int // phones that register
	calls     int
	inFlight  int // REGISTERs, calls
	workers   int // threads of PJSIP; 0: what Asterisk chooses
	refreshes int // the median of so many is told
	boots     int // the median of so many is told
	only      []string
	command   string
	document  string // "": printed
}

func main() {
	quick := flag.Bool("quick", false, "only show that everything works: 200 phones, no file is written")
	phones := flag.Int("phones", 20_000, "so many `ENDPOINTS`, and ten times as many for listing none; nothing is written but with the default")
	release := flag.String("release", "22", "Asterisk `16|22`; nothing is written for 16")
	only := flag.String("cases", "", "measure only these, `KEYS` of cases joined by commas; nothing is written")
	threads := flag.Int("threads", workers, "so many `THREADS` of PJSIP, 0 for what Asterisk chooses; nothing is written but with the default")
	document := flag.String("write", "docs/bench-asterisk.md", "the `FILE` whose marked sections are replaced")
	flag.Parse()
	p := plan{release: lab.Asterisk22, phones: *phones, many: 10 * *phones, registers: 3000, calls: 1000, inFlight: 50, workers: *threads, refreshes: 3, boots: 3, command: "make bench-asterisk", document: *document}
	if *quick {
		p.phones, p.many, p.registers, p.calls, p.refreshes, p.boots = 200, 400, 50, 20, 1, 1
	}
	if *only != "" {
		p.only = strings.Split(*only, ",")
	}
	if err := p.choose(*release); err != nil {
		fmt.Fprintln(os.Stderr, "bench-asterisk:", err)
		os.Exit(2)
	}
	if *quick || *release == "16" || *only != "" || *phones != 20_000 || *threads != workers {
		p.document, p.command = "", "go run ./test/drivers "+strings.Join(os.Args[1:], " ")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends us at once
	if err := run(ctx, p); err != nil {
		fmt.Fprintln(os.Stderr, "bench-asterisk:", err)
		os.Exit(1)
	}
}

// choose takes a release by its name and checks the keys of cases.
func (p *plan) choose(release string) error {
	i := slices.IndexFunc(lab.Releases, func(r lab.Release) bool { return r.Name == release })
	if i < 0 {
		return fmt.Errorf("-release %s: the lab has Asterisk 16 and 22", release)
	}
	p.release = lab.Releases[i]
	if found := len(cases(*p)); len(p.only) > 0 && found != len(p.only) {
		all := cases(plan{})
		keys := make([]string, 0, len(all))
		for _, c := range all {
			keys = append(keys, c.key)
		}
		return fmt.Errorf("-cases %s: the keys are %s", strings.Join(p.only, ","), strings.Join(keys, ","))
	}
	return nil
}

// run measures all cases and writes what they cost; when one went wrong, what the
// others cost is only printed.
func run(ctx context.Context, p plan) (err error) {
	lab.Main(func() int {
		var results []result
		ended := within(ctx, func(s *scope) { results, err = measureAll(s, p, cases(p)) })
		if err = errors.Join(err, ended); len(results) > 0 {
			err = errors.Join(err, report(p, results, err))
		}
		return 0
	})
	return err
}

// report writes or prints what was measured; fault is what went wrong on the way.
func report(p plan, results []result, fault error) error {
	sections, err := sections(p, results)
	if err != nil {
		return err
	}
	if p.document == "" || fault != nil {
		show(sections)
		return nil
	}
	return write(p.document, sections, results)
}
