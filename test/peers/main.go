package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"asterism/test/report"
)

func main() {
	quick := flag.Bool("quick", false, "only show that everything works: short runs, small directories, no file is written")
	document := flag.String("write", "docs/bench.md", "the `FILE` whose marked sections are replaced")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	plan, into := full(), *document
	if *quick {
		plan, into = short(), ""
	}
	if err := run(ctx, plan, into); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

// run measures everything and ends with nothing left of it but the document.
func run(ctx context.Context, plan plan, document string) (err error) {
	folder, err := os.MkdirTemp("", "asterism-peers-")
	if err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	lab := &lab{plan: plan, folder: folder, log: os.Stderr}
	defer func() { err = errors.Join(err, lab.end()) }()
	began := time.Now()
	sections, err := lab.measure(ctx)
	if err != nil {
		return err
	}
	lab.say("measured in %v", time.Since(began).Round(time.Second))
	if document == "" {
		return show(os.Stdout, sections)
	}
	return write(document, sections)
}

// measure goes through the sections of the document.
func (l *lab) measure(ctx context.Context) (map[string]string, error) {
	sections := map[string]string{}
	for _, section := range []struct {
		name    string
		measure func(context.Context) (string, error)
	}{
		// What may not compile comes first, and last what describes the whole run.
		{"inside", l.inside}, {"peers", l.peers}, {"sizes", l.sizes}, {"2004", l.first2004}, {"machine", l.machine},
	} {
		text, err := section.measure(ctx)
		if err != nil {
			return nil, fmt.Errorf("measure %s: %w", section.name, err)
		}
		sections[section.name] = text
	}
	sections["chart"] = l.chart
	return sections, nil
}

// show prints what write would write.
func show(out io.Writer, sections map[string]string) error {
	for _, name := range []string{"machine", "peers", "sizes", "2004", "inside"} {
		if _, err := fmt.Fprintf(out, "%s\n\n%s\n", name, sections[name]); err != nil {
			return err
		}
	}
	return nil
}

// write puts the sections between their markers and the chart beside the document.
func write(document string, sections map[string]string) error {
	old, err := os.ReadFile(document)
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	text := string(old)
	for name, section := range sections {
		if name == "chart" {
			continue
		}
		if text, err = report.ReplaceSection(text, name, section); err != nil {
			return fmt.Errorf("%s: %w", document, err)
		}
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(document), chartFile), []byte(sections["chart"]), 0o644); err != nil {
		return fmt.Errorf("write the chart: %w", err)
	}
	if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
		return fmt.Errorf("write the document: %w", err)
	}
	return nil
}
