package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
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
	boots     int // the median of so many is told
	only      []string
	command   string
	document  string // "": printed
}

func main() {
	quick := flag.Bool("quick", false, "only show that everything works: 200 phones, no file is written")
	release := flag.String("release", "22", "Asterisk `16|22`")
	only := flag.String("cases", "", "measure only these, `KEYS` of cases joined by commas; nothing is written")
	document := flag.String("write", "docs/bench-asterisk.md", "the `FILE` whose marked sections are replaced")
	flag.Parse()
	p := plan{release: lab.Asterisk22, phones: 20_000, many: 200_000, registers: 3000, calls: 1000, boots: 3, command: "make bench-asterisk", document: *document}
	if *release == "16" {
		p.release, p.document = lab.Asterisk16, ""
	}
	if *quick {
		p.phones, p.many, p.registers, p.calls, p.boots, p.document = 200, 400, 50, 20, 1, ""
	}
	if *only != "" {
		p.only, p.document = strings.Split(*only, ","), ""
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, p); err != nil {
		fmt.Fprintln(os.Stderr, "bench-asterisk:", err)
		stop()
		os.Exit(1)
	}
}

// run measures all cases and writes what they cost.
func run(ctx context.Context, p plan) (err error) {
	lab.Main(func() int {
		err = within(ctx, func(s *scope) { report(s, p, measureAll(s, p)) })
		return 0
	})
	return err
}
