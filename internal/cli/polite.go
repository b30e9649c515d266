package cli

import (
	"os"
	"strconv"
	"syscall"
)

// politeness is the nice value of a bulk command: the node on the same machine
// goes first.
const politeness = 10

// niceOf is what Linux's getpriority gives for a nice value of 0.
const niceOf = 20

// bePolite lowers the priority of this process, and never raises it. Linux does
// that per thread; new threads inherit it. Where it can't be done nothing is lost
// but the favour.
func bePolite() {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			continue
		}
		if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, id); err == nil && niceOf-now < politeness {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, politeness)
		}
	}
}
