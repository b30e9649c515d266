package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"asterism/test/report"
)

//go:embed wrk.lua
var wrkScript []byte

// figures are what one run gave.
type figures struct {
	Requests int
	Elapsed  time.Duration
	P50, P99 time.Duration
	Errors   int           // of the socket, and answers other than 2xx and 3xx
	Kinds    string        // of the errors; empty without any
	CPU      time.Duration // of the server
	Others   float64       // share of the machine that neither server nor load generator took
}

func (f figures) perSecond() float64 { return float64(f.Requests) / f.Elapsed.Seconds() }

// microseconds is the server's CPU for each request.
func (f figures) microseconds() float64 {
	return float64(f.CPU) / float64(time.Microsecond) / float64(f.Requests)
}

// load is one run of wrk.
type load struct {
	script      string // the file
	peer        *server
	wire        wire
	numbers     int
	connections int
	length      time.Duration
	seed        int
}

func writeScript(folder string) (string, error) {
	path := filepath.Join(folder, "wrk.lua")
	return path, os.WriteFile(path, wrkScript, 0o600)
}

// run asks and measures.
func (l load) run(ctx context.Context) (figures, error) {
	processes, err := l.peer.cpu()
	if err != nil {
		return figures{}, err
	}
	command := exec.CommandContext(ctx, "wrk", "-t", strconv.Itoa(min(2, l.connections)), "-c", strconv.Itoa(l.connections),
		"-d", wholeSeconds(l.length), "-s", l.script, "http://"+l.peer.address, "--",
		l.wire.path, l.wire.contentType, l.wire.action, l.wire.head, l.wire.tail,
		strconv.Itoa(firstNumber), strconv.Itoa(l.numbers), strconv.Itoa(l.seed))
	machineBefore, err := report.MachineCPU()
	if err != nil {
		return figures{}, err
	}
	before, known := processes.Used()
	output, err := command.Output()
	after, still := processes.Used()
	if err != nil {
		return figures{}, fmt.Errorf("wrk: %w\n%s", err, output)
	}
	if !known || !still {
		return figures{}, fmt.Errorf("find the CPU time of the server at %s: none listens there", l.peer.address)
	}
	machineAfter, err := report.MachineCPU()
	if err != nil {
		return figures{}, err
	}
	f, err := parseFigures(string(output))
	if err != nil {
		return figures{}, err
	}
	f.CPU = after - before
	own := f.CPU + command.ProcessState.SystemTime() + command.ProcessState.UserTime()
	f.Others = max(0, float64(machineAfter.Busy-machineBefore.Busy-own)/float64(machineAfter.All-machineBefore.All))
	return f, nil
}

// wholeSeconds is what wrk understands.
func wholeSeconds(d time.Duration) string {
	return fmt.Sprintf("%ds", max(1, int(d.Round(time.Second)/time.Second)))
}

// parseFigures reads the line that the script prints at its end.
func parseFigures(output string) (figures, error) {
	for line := range strings.Lines(output) {
		rest, found := strings.CutPrefix(line, "figures ")
		if !found {
			continue
		}
		var f figures
		var micros, p50, p99 int64
		var failed [5]int
		_, err := fmt.Sscan(rest, &f.Requests, &micros, &p50, &p99, &failed[0], &failed[1], &failed[2], &failed[3], &failed[4])
		if err != nil {
			return figures{}, fmt.Errorf("read the figures of wrk in %q: %w", line, err)
		}
		f.Elapsed, f.P50, f.P99 = time.Duration(micros)*time.Microsecond, time.Duration(p50)*time.Microsecond, time.Duration(p99)*time.Microsecond
		for i, kind := range []string{"connect", "read", "write", "timeout", "status"} {
			if failed[i] > 0 {
				f.Errors += failed[i]
				f.Kinds += fmt.Sprintf(" %s %d", kind, failed[i])
			}
		}
		if f.Requests == 0 || micros == 0 {
			return figures{}, fmt.Errorf("wrk was answered nothing: %q", line)
		}
		return f, nil
	}
	return figures{}, fmt.Errorf("wrk printed no figures: %.500s", output)
}
