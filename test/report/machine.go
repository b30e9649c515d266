package report

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Usage is CPU time of the whole machine since it started.
type Usage struct{ Busy, All time.Duration }

// MachineCPU gives it up to now.
func MachineCPU() (Usage, error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Usage{}, err
	}
	return parseUsage(string(stat))
}

// parseUsage adds up the first line: user, nice, system, idle, iowait, irq,
// softirq, steal; what follows is contained in user. Time stolen by the host
// counts as busy: somebody else had the CPU.
func parseUsage(stat string) (Usage, error) {
	const tick = 10 * time.Millisecond
	const idle, iowait = 3, 4
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return Usage{}, fmt.Errorf("/proc/stat begins with %q, not with the sum of all CPUs", line)
	}
	var u Usage
	for i, field := range fields[1:9] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return Usage{}, fmt.Errorf("/proc/stat, field %d: %w", i+1, err)
		}
		spent := time.Duration(ticks) * tick
		u.All += spent
		if i != idle && i != iowait {
			u.Busy += spent
		}
	}
	return u, nil
}

// Machine describes where figures come from: cores, memory, system, Go.
func Machine() (string, error) {
	cpus, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "", err
	}
	memory, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return "", err
	}
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "", err
	}
	system, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return "", err
	}
	var kilobytes int
	if _, err := fmt.Sscan(field(string(memory), "MemTotal:"), &kilobytes); err != nil {
		return "", fmt.Errorf("read the size of the memory: %w", err)
	}
	return fmt.Sprintf("%d cores of %s, %d GiB, %s, kernel %s, %s", runtime.NumCPU(),
		strings.TrimSpace(strings.TrimPrefix(field(string(cpus), "model name"), ":")), kilobytes>>20,
		strings.Trim(field(string(system), "PRETTY_NAME="), `"`), strings.TrimSpace(string(kernel)), runtime.Version()), nil
}

// field is the rest of the first line that begins with a name.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if value, found := strings.CutPrefix(line, name); found {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
