package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	figures "asterism/test/report"
)

// sectionNames are the sections of the page in its order.
var sectionNames = []string{"machine", "aims", "boot", "register", "calls", "storm"}

// sections are the page's by name.
func sections(p plan, results []result) (map[string]string, error) {
	machine, err := figures.Machine()
	if err != nil {
		return nil, err
	}
	others := 0.0
	for _, r := range results {
		others = max(others, r.others())
	}
	return map[string]string{
		"machine": fmt.Sprintf("`%s`, %s: Asterisk %s; %s. SIPp, Asterisk and the server share the cores; other processes took at most %.0f %% of the machine.\n",
			p.command, time.Now().UTC().Format("2 January 2006"), results[0].version, machine, 100*others),
		"aims": aims(results), "boot": bootTable(results), "register": registerTable(results), "calls": callTable(results), "storm": stormTable(results),
	}, nil
}

// show prints what write would write.
func show(sections map[string]string) {
	for _, name := range sectionNames {
		fmt.Println(sections[name])
	}
}

// write puts the sections between their markers and the charts beside the page.
func write(document string, sections map[string]string, results []result) error {
	old, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	text := string(old)
	for name, section := range sections {
		if text, err = figures.ReplaceSection(text, name, section); err != nil {
			return fmt.Errorf("%s: %w", document, err)
		}
	}
	files := map[string]string{registerChart: chartOfRegister(results), bootChart: chartOfBoot(results), filepath.Base(document): text}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(filepath.Dir(document), name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// others is the greatest share that other processes had of the machine.
func (r result) others() float64 {
	greatest := 0.0
	for _, l := range r.all() {
		greatest = max(greatest, l.others)
	}
	for _, b := range r.boots {
		greatest = max(greatest, b.others)
	}
	return greatest
}

// These stand beside the page.
const (
	registerChart = "bench-asterisk.svg"
	bootChart     = "bench-asterisk-boot.svg"
)

// chartOfRegister draws what a refresh costs Asterisk.
func chartOfRegister(results []result) string {
	var bars []figures.Bar
	for _, r := range results {
		if r.refresh.Good > 0 {
			bars = append(bars, figures.Bar{Label: r.name, Value: milliseconds(r.refresh.each(r.refresh.asterisk)), Ours: isOurs(r)})
		}
	}
	return figures.Chart("Asterisk's CPU for one REGISTER (refresh), in milliseconds (shorter is better)", bars)
}

// chartOfBoot draws the medians of the cases with equally many endpoints.
func chartOfBoot(results []result) string {
	var bars []figures.Bar
	for _, r := range results {
		if r.phones == results[0].phones {
			bars = append(bars, figures.Bar{Label: r.name, Value: r.median().took.Seconds(), Ours: isOurs(r)})
		}
	}
	return figures.Chart(fmt.Sprintf("Boot with %d endpoints, in seconds (shorter is better)", results[0].phones), bars)
}

func isOurs(r result) bool {
	_, ours := r.driver.(*asterism)
	return ours
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func bootTable(results []result) string {
	t := figures.NewTable("driver", "endpoints", "live before", "boot s, median (all)", "Asterisk CPU s", "requests", "server CPU s", "times pgsql", "calm after s", "requests until then", "others")
	var base time.Duration
	for _, r := range results {
		if r.key == "pgsql" {
			base = r.median().took
		}
	}
	for _, r := range results {
		var all []string
		for _, b := range r.boots {
			all = append(all, seconds(b.took))
		}
		b, times := r.median(), "-"
		if base > 0 && r.phones == results[0].phones {
			times = fmt.Sprintf("%.2f", b.took.Seconds()/base.Seconds())
		}
		t.Row(r.name, fmt.Sprint(r.phones), fmt.Sprint(r.live), fmt.Sprintf("%s (%s)", seconds(b.took), strings.Join(all, ", ")), seconds(b.asterisk), fmt.Sprint(b.requests), seconds(b.server), times, seconds(r.after.took), fmt.Sprint(r.after.requests), percent(b.others))
	}
	return t.String()
}

func registerTable(results []result) string {
	t := figures.NewTable("driver", "first: per second", "p50, p99 ms", "Asterisk CPU ms", "server CPU ms", "requests", "refresh: per second, median (all)", "p50, p99 ms", "Asterisk CPU ms", "server CPU ms", "requests", "errors", "complaints", "others")
	for _, r := range results {
		f, g := r.first, r.refresh
		if f.Good == 0 {
			continue
		}
		t.Row(r.name, fmt.Sprintf("%.0f", f.perSecond()), latencies(f), cpu(f, f.asterisk), cpu(f, f.server), requests(f),
			rates(r), latencies(g), cpu(g, g.asterisk), cpu(g, g.server), requests(g), fmt.Sprint(f.Bad+bad(r.refreshes)), fmt.Sprint(r.complaints), percent(max(f.others, g.others)))
	}
	return t.String()
}

// rates are those of all refreshes behind that of the one in the middle.
func rates(r result) string {
	var all []string
	for _, l := range r.refreshes {
		all = append(all, fmt.Sprintf("%.0f", l.perSecond()))
	}
	return fmt.Sprintf("%.0f (%s)", r.refresh.perSecond(), strings.Join(all, ", "))
}

func bad(loads []load) int {
	sum := 0
	for _, l := range loads {
		sum += l.Bad
	}
	return sum
}

func latencies(l load) string {
	return fmt.Sprintf("%.0f, %.0f", milliseconds(l.Quantile(0.5)), milliseconds(l.Quantile(0.99)))
}

func cpu(l load, d time.Duration) string { return fmt.Sprintf("%.2f", milliseconds(l.each(d))) }

func requests(l load) string { return fmt.Sprintf("%.1f", float64(l.requests)/float64(max(l.Good, 1))) }

func callTable(results []result) string {
	t := figures.NewTable("driver", "calls/s", "INVITE to 200: p50, p99 ms", "Asterisk CPU ms", "server CPU ms", "requests", "errors", "others")
	for _, r := range results {
		if l := r.calls; l.Good > 0 {
			t.Row(r.name, fmt.Sprintf("%.0f", l.perSecond()), latencies(l), cpu(l, l.asterisk), cpu(l, l.server), requests(l), fmt.Sprint(l.Bad), percent(l.others))
		}
	}
	return t.String()
}

func stormTable(results []result) string {
	t := figures.NewTable("driver", "phones", "seconds", "per second", "p50, p99 ms", "Asterisk CPU s", "Asterisk CPU ms each", "server CPU s", "requests each", "failures", "complaints", "others")
	for _, r := range results {
		if l := r.storm; l.Good > 0 {
			t.Row(r.name, fmt.Sprint(r.phones), seconds(l.Took), fmt.Sprintf("%.0f", l.perSecond()), latencies(l), seconds(l.asterisk), cpu(l, l.asterisk), seconds(l.server), requests(l),
				fmt.Sprint(r.phones-l.Good), fmt.Sprint(r.complaints), percent(l.others))
		}
	}
	return t.String()
}
