package test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tick is the unit of CPU time in /proc: USER_HZ is 100 wherever Go runs.
const tick = 10 * time.Millisecond

// ticks adds up fields of CPU time.
func ticks(t *testing.T, fields []string) (sum time.Duration) {
	t.Helper()
	for _, field := range fields {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(n) * tick
	}
	return sum
}

// spending is CPU time up to a moment: of the node, of this test, and of all
// that runs on the machine.
type spending struct {
	at              time.Time
	node, own, busy time.Duration
	cores           int
}

// spent looks at the CPU time up to now.
func (n *sized) spent(t *testing.T) spending {
	t.Helper()
	s := spentWithoutNode(t)
	s.node = n.cpu(t)
	return s
}

// spentWithoutNode does so before there is a node.
func spentWithoutNode(t *testing.T) spending {
	t.Helper()
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(stat), "\n")
	fields := strings.Fields(first) // cpu user nice system idle iowait irq softirq steal
	return spending{
		at: time.Now(), own: time.Duration(own.Utime.Nano() + own.Stime.Nano()),
		busy:  ticks(t, fields[1:4]) + ticks(t, fields[6:9]),
		cores: strings.Count("\n"+rest, "\ncpu"),
	}
}

// since tells what was used from another moment on, and what others took of the
// machine: with much of that, times say little.
func (s spending) since(from spending) string {
	took, node, own := s.at.Sub(from.at), s.node-from.node, s.own-from.own
	others := (s.busy - from.busy - node - own).Seconds() / took.Seconds() / float64(s.cores)
	return fmt.Sprintf("CPU of the node %.1f s, of the clients %.1f s in %.1f s; others took %.0f %% of the machine", node.Seconds(), own.Seconds(), took.Seconds(), 100*others)
}
