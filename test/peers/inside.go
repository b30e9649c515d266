package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// benchmarked are the packages with a hot path.
var benchmarked = []string{"./internal/directory", "./internal/realtime", "./internal/soap", "./internal/server"}

// benchmark is one line of go test -bench.
type benchmark struct{ Package, Name, Nanoseconds, Bytes, Allocations string }

// inside measures the hot paths without a network.
func (l *lab) inside(ctx context.Context) (string, error) {
	arguments := append([]string{"test", "-run", "^$", "-bench", ".", "-benchmem", "-benchtime", l.plan.benchTime, "-timeout", "10m"}, benchmarked...)
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go test -bench: %w\n%s", err, output)
	}
	found := parseBenchmarks(string(output))
	if len(found) == 0 {
		return "", fmt.Errorf("go test -bench printed no figures: %.500s", output)
	}
	return insideTable(found), nil
}

var (
	benchmarkLine  = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op(.*)$`)
	benchmarkBytes = regexp.MustCompile(`([\d.]+) B/op\s+([\d.]+) allocs/op`)
)

// parseBenchmarks reads the output of go test; figures that a benchmark reports
// of its own are left out.
func parseBenchmarks(output string) []benchmark {
	var all []benchmark
	from := ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if name, found := strings.CutPrefix(line, "pkg: asterism/internal/"); found {
			from = name
		}
		match := benchmarkLine.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		b := benchmark{Package: from, Name: match[1], Nanoseconds: match[2]}
		if memory := benchmarkBytes.FindStringSubmatch(match[3]); memory != nil {
			b.Bytes, b.Allocations = memory[1], memory[2]
		}
		all = append(all, b)
	}
	return all
}
