package module

import (
	"math"
	"slices"
	"syscall"
	"testing"
	"time"

	"asterism/test/lab"
)

// TestWhatTheModuleAddsToMemory: loaded, connected and idle it is as small as the
// client of 2004, and a further connection costs a few pages.
func TestWhatTheModuleAddsToMemory(t *testing.T) {
	const mostIdle, mostEach, further, rounds = 1 << 20, 64 << 10, 60, 4
	on(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		node := home.Serve(t)
		port, files := managed(t, map[string]string{"asterism.conf": conf("answer_timeout = 10000\nidle_timeout = 2500\n", node.Asterisk)})
		a := release.Prepare(t, lab.Settings{Node: node.Asterisk, Families: []string{"numbers"}, Files: files})
		a.WriteFile(t, "etc/modules.conf", a.ReadFile(t, "etc/modules.conf")+"noload = res_config_asterism.so\n")
		a.Run(t, "MALLOC_ARENA_MAX=1") // or what is free in many heaps hides what is used
		managers := make([]*lab.Manager, further+1)
		for i := range managers {
			managers[i] = lab.NewManager(t, port)
			managers[i].Evaluate(t, "SYSTEMNAME")
		}
		a.CLI(t, "module reload logger")
		before := memoryOver(t, a, 300*time.Millisecond)
		a.CLI(t, "module load res_config_asterism.so")
		lab.Eventually(t, 10*time.Second, "the module follows the node", func() bool { return opened(t, managers[0]) == 1 })
		idle := memoryOver(t, a, time.Second) - before
		if idle > mostIdle {
			t.Errorf("the module adds %d KB", idle>>10)
		}

		var each []int
		for round := range rounds {
			node.Freeze(t)
			defer node.Signal(t, syscall.SIGCONT)
			for i, m := range managers[1:] {
				m.Send(t, "Getvar", "Variable: ASTERISM_CODECS("+number(100*round+i)+")")
			}
			lab.Eventually(t, 10*time.Second, "each has a connection", func() bool { return opened(t, managers[0]) == 1+further })
			node.Signal(t, syscall.SIGCONT)
			for _, m := range managers[1:] {
				m.Response(t)
			}
			many := leastMemory(t, a, func() bool { return opened(t, managers[0]) == 1+further })
			lab.Eventually(t, 10*time.Second, "the further ones are closed", func() bool { return opened(t, managers[0]) == 1 })
			one := memoryOver(t, a, 300*time.Millisecond)
			each = append(each, (many-one)/further)
		}
		each = each[1:] // the first round left the threads' own memory behind
		slices.Sort(each)
		median := each[len(each)/2]
		t.Logf("asterisk %s: the module adds %d KB, each further connection %d KB %v", release.Name, idle>>10, median>>10, each)
		if median > mostEach || median < 1<<10 {
			t.Errorf("a further connection takes %d bytes", median)
		}
	})
}

// leastMemory is the least of what an instance uses while something holds.
func leastMemory(t *testing.T, a *lab.Asterisk, holds func() bool) int {
	t.Helper()
	least := math.MaxInt
	for holds() {
		if now := a.Memory(t); holds() {
			least = min(least, now)
		}
	}
	return least
}

// memoryOver is the least over a time.
func memoryOver(t *testing.T, a *lab.Asterisk, span time.Duration) int {
	t.Helper()
	began := time.Now()
	return leastMemory(t, a, func() bool { return time.Since(began) < span })
}

// opened is how many connections the one server has.
func opened(t *testing.T, manager *lab.Manager) int {
	t.Helper()
	return asNumber(t, serversOf(t, manager)[0], "Open")
}
