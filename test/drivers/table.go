package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	figures "asterism/test/report"
)

// report writes the sections of the page and the chart beside it, or prints them.
func report(s *scope, p plan, results []result) {
	machine, err := figures.Machine()
	if err != nil {
		s.Fatalf("%v", err)
	}
	others := 0.0
	for _, r := range results {
		for _, l := range []load{r.first, r.refresh, r.calls, r.storm} {
			others = max(others, l.others)
		}
	}
	sections := map[string]string{
		"machine": fmt.Sprintf("`%s`, %s: Asterisk %s; %s. SIPp, Asterisk and the server share the cores; other processes took at most %.0f %% of the machine.\n",
			p.command, time.Now().UTC().Format("2 January 2006"), results[0].version, machine, 100*others),
		"boot":     bootTable(results),
		"register": registerTable(results),
		"calls":    callTable(results),
		"storm":    stormTable(results),
	}
	if p.document == "" {
		for _, name := range []string{"machine", "boot", "register", "calls", "storm"} {
			fmt.Println(sections[name])
		}
		return
	}
	old, err := os.ReadFile(p.document)
	if err != nil {
		s.Fatalf("%v", err)
	}
	text := string(old)
	for name, section := range sections {
		if text, err = figures.ReplaceSection(text, name, section); err != nil {
			s.Fatalf("%s: %v", p.document, err)
		}
	}
	for path, text := range map[string]string{p.document: text, filepath.Join(filepath.Dir(p.document), chartFile): chart(results)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			s.Fatalf("%v", err)
		}
	}
}

// chartFile stands beside the page.
const chartFile = "bench-asterisk.svg"

// chart draws what a refresh costs Asterisk.
func chart(results []result) string {
	var bars []figures.Bar
	for _, r := range results {
		if r.refresh.Good > 0 {
			bars = append(bars, figures.Bar{Label: full(r), Value: milliseconds(r.refresh.each(r.refresh.asterisk)), Ours: isOurs(r)})
		}
	}
	return figures.Chart("Asterisk's CPU for one REGISTER (refresh), in milliseconds (shorter is better)", bars)
}

func isOurs(r result) bool {
	_, ours := r.driver.(*curl)
	return ours
}

// full is a name that needs no line above it.
func full(r result) string { return strings.Replace(r.name, "the same", "curl, Asterism", 1) }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }

func bootTable(results []result) string {
	t := figures.NewTable("driver", "endpoints", "boot s, median (all)", "Asterisk CPU s", "requests", "server CPU s", "times pgsql")
	var base time.Duration
	for _, r := range results {
		if r.key == "pgsql" {
			base = r.boot()
		}
	}
	for _, r := range results {
		var all []string
		for _, b := range r.boots {
			all = append(all, seconds(b))
		}
		times := "-"
		if base > 0 && r.phones == results[0].phones {
			times = fmt.Sprintf("%.2f", r.boot().Seconds()/base.Seconds())
		}
		t.Row(r.name, fmt.Sprint(r.phones), fmt.Sprintf("%s (%s)", seconds(r.boot()), strings.Join(all, ", ")), seconds(r.bootCPU), fmt.Sprint(r.bootRequests), seconds(r.bootServerCPU), times)
	}
	return t.String()
}

func registerTable(results []result) string {
	t := figures.NewTable("driver", "first: per second", "p50, p99 ms", "Asterisk CPU ms", "requests", "refresh: per second", "p50, p99 ms", "Asterisk CPU ms", "requests", "server CPU ms", "errors", "Asterisk's complaints")
	for _, r := range results {
		if r.first.Good == 0 {
			continue
		}
		f, g := r.first, r.refresh
		t.Row(r.name, fmt.Sprintf("%.0f", f.perSecond()), latencies(f), cpu(f, f.asterisk), requests(f), fmt.Sprintf("%.0f", g.perSecond()), latencies(g), cpu(g, g.asterisk), requests(g), cpu(g, g.server),
			fmt.Sprint(f.Bad+g.Bad), fmt.Sprint(r.complaints))
	}
	return t.String()
}

func latencies(l load) string {
	return fmt.Sprintf("%.0f, %.0f", milliseconds(l.Quantile(0.5)), milliseconds(l.Quantile(0.99)))
}

func cpu(l load, d time.Duration) string { return fmt.Sprintf("%.2f", milliseconds(l.each(d))) }

func requests(l load) string { return fmt.Sprintf("%.1f", float64(l.requests)/float64(max(l.Good, 1))) }

func callTable(results []result) string {
	t := figures.NewTable("driver", "calls/s", "INVITE to 200: p50, p99 ms", "Asterisk CPU ms", "requests each", "server CPU ms", "errors")
	for _, r := range results {
		if r.calls.Good > 0 {
			t.Row(r.name, fmt.Sprintf("%.0f", r.calls.perSecond()), latencies(r.calls), cpu(r.calls, r.calls.asterisk), requests(r.calls), cpu(r.calls, r.calls.server), fmt.Sprint(r.calls.Bad))
		}
	}
	return t.String()
}

func stormTable(results []result) string {
	t := figures.NewTable("driver", "phones", "seconds", "per second", "p50, p99 ms", "Asterisk CPU s", "server CPU s", "failures")
	for _, r := range results {
		if l := r.storm; l.Good > 0 {
			t.Row(r.name, fmt.Sprint(l.Good+l.Bad), seconds(l.Took), fmt.Sprintf("%.0f", l.perSecond()), latencies(l), seconds(l.asterisk), seconds(l.server), fmt.Sprint(l.Bad))
		}
	}
	return t.String()
}
