package lab

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestCPUOfChildrenIsSeen holds for a child that runs and once it has ended.
func TestCPUOfChildrenIsSeen(t *testing.T) {
	const enough = 50 * time.Millisecond
	before := ChildrenCPU(t, os.Getpid())
	busy := exec.Command("sh", "-c", "while :; do :; done")
	busy.SysProcAttr = dieWithUs()
	if err := busy.Start(); err != nil {
		t.Fatal(err)
	}
	Eventually(t, time.Minute, "the child's CPU", func() bool { return CPU(t, busy.Process.Pid) >= enough })
	running := ChildrenCPU(t, os.Getpid()) - before
	_ = busy.Process.Kill()
	_ = busy.Wait()
	if ended := ChildrenCPU(t, os.Getpid()) - before; running < enough || ended < running {
		t.Errorf("running %v, then %v", running, ended)
	}
}
