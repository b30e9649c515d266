package test

import (
	"debug/elf"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// sized is a serving node whose start was timed and which tells of its garbage
// collections in its log.
type sized struct {
	*lab.Node
	began time.Time
	start time.Duration // from the start of the process to ready

	starting string // what that took of the machine
}

// startAtSize starts a node and returns once /readyz says that it is ready. The
// patience is for a machine that is shared; what is too slow is judged later.
func startAtSize(t *testing.T, h *lab.Home) *sized {
	t.Helper()
	needStatic(t)
	command := h.Command("serve", "--log", "json")
	command.Env = append(os.Environ(), "GODEBUG=gctrace=1")
	before := spentWithoutNode(t)
	n := &sized{began: time.Now()}
	n.Node = lab.StartNode(t, command)
	lab.Eventually(t, time.Minute, "/readyz answers 200", func() bool {
		response, err := http.Get("http://" + n.People + "/readyz")
		return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
	})
	n.start = time.Since(n.began)
	n.starting = n.spent(t).since(before)
	return n
}

// needStatic holds that figures are those of the program as it is given away.
func needStatic(t *testing.T) {
	t.Helper()
	file, err := elf.Open(lab.Program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	loader := slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
	if soaking() && loader {
		t.Fatal("the program is not static: run this by make size, which sets CGO_ENABLED=0")
	}
}

// memory gives a figure of /proc/PID/status in bytes.
func (n *sized) memory(t *testing.T, name string) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), name+":")
	text, _, _ := strings.Cut(strings.TrimSpace(rest), " kB")
	kilobytes, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s of the node: %v", name, err)
	}
	return kilobytes << 10
}

// cpu is the user and system time that the node has used since its start.
func (n *sized) cpu(t *testing.T) time.Duration {
	t.Helper()
	return lab.CPU(t, n.Process.Pid)
}

// metric reads one figure of the node's metrics.
func (n *sized) metric(t *testing.T, name string) float64 {
	t.Helper()
	for line := range strings.Lines(fetch(t, "http://"+n.People+"/metrics")) {
		if text, ok := strings.CutPrefix(line, name+" "); ok {
			value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	t.Fatalf("the node has no metric %s", name)
	return 0
}

// collection is a line of Go's trace of garbage collections: when; the CPU time of
// sweep termination + assist/background/idle + mark termination; the heap at its
// start and what was live.
var collection = regexp.MustCompile(`(?m)^gc \d+ @([\d.]+)s .* ms clock, ([\d.]+)\+([\d.]+)/([\d.]+)/([\d.]+)\+([\d.]+) ms cpu, (\d+)->\d+->(\d+) MB`)

// collections sums up the garbage collections between two moments since the start.
func (n *sized) collections(t *testing.T, from, to time.Duration) string {
	t.Helper()
	count, spent, idle, allocated, live := 0, 0.0, 0.0, 0.0, 0.0
	for _, found := range collection.FindAllStringSubmatch(n.Log.String(), -1) {
		at := make([]float64, len(found))
		for i := 1; i < len(found); i++ {
			value, err := strconv.ParseFloat(found[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			at[i] = value
		}
		if from.Seconds() <= at[1] && at[1] <= to.Seconds() {
			count++
			spent, idle, allocated = spent+at[2]+at[3]+at[4]+at[6], idle+at[5], allocated+at[7]-live
		}
		live = at[8]
	}
	return fmt.Sprintf("%d garbage collections with %.2f s of CPU (and %.2f s of idle CPU) for %.0f MB of garbage and growth, %.0f MB live at the last",
		count, spent/1000, idle/1000, allocated, live)
}
