package cli

import (
	"os"
	"strconv"
	"syscall"
)

// politeness is the nice value of a bulk command: the node on the same machine
// goes first.
const politeness = 10

// bePolite lowers the priority of this process. Linux does that per thread; new
// threads inherit it. Where it can't be done nothing is lost but the favour.
func bePolite() {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, thread := range threads {
		if id, err := strconv.Atoi(thread.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, politeness)
		}
	}
}
