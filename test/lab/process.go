package lab

import "syscall"

// dieWithUs lets a process end with the test, also when that is killed or runs into
// its time limit and no clean-up happens. It has a group of its own, so that Ctrl-C in
// a terminal is for the test, which ends it in order.
func dieWithUs() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
