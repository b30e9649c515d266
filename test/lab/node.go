package lab

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// Node is a serving process of Asterism.
type Node struct {
	*exec.Cmd
	Asterisk, People string        // where it listens
	Ended            chan struct{} // closed when it has ended; then Err tells how
	Err              error
	Log              *Log
}

// Serve starts a node and returns once it answers.
func (h *Home) Serve(t T, arguments ...string) *Node {
	t.Helper()
	return StartNode(t, h.Command(append([]string{"serve", "--log", "json"}, arguments...)...))
}

// StartNode starts a command that serves and returns once it says so. The
// patience is for a machine that is shared.
func StartNode(t T, command *exec.Cmd) *Node {
	t.Helper()
	n := &Node{Cmd: command, Ended: make(chan struct{}), Log: &Log{}}
	out, err := command.StderrPipe()
	if err != nil {
		t.Fatalf("%v", err)
	}
	command.SysProcAttr = dieWithUs()
	if err := command.Start(); err != nil {
		t.Fatalf("%v", err)
	}
	serving := make(chan [2]string, 1)
	go func() {
		n.follow(bufio.NewScanner(out), serving)
		n.Err = command.Wait()
		close(n.Ended)
	}()
	t.Cleanup(func() { n.End(t) })
	select {
	case at := <-serving:
		n.Asterisk, n.People = at[0], at[1]
	case <-n.Ended:
		t.Fatalf("the node ended at once: %v\n%s", n.Err, n.Log)
	case <-time.After(5 * time.Minute):
		t.Fatalf("the node does not serve after five minutes\n%s", n.Log)
	}
	return n
}

// follow reads the node's log and notes where it serves.
func (n *Node) follow(lines *bufio.Scanner, serving chan<- [2]string) {
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fmt.Fprintf(n.Log, "%s\n", lines.Bytes())
		var line struct{ Msg, Asterisk, People string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			serving <- [2]string{line.Asterisk, line.People}
		}
	}
}

// Signal sends a signal to the process.
func (n *Node) Signal(t T, signal os.Signal) {
	t.Helper()
	if err := n.Process.Signal(signal); err != nil {
		t.Fatalf("%v to the node: %v", signal, err)
	}
}

// Freeze stops the process where it is, until SIGCONT; returns when all its threads stand.
func (n *Node) Freeze(t T) {
	t.Helper()
	n.Signal(t, syscall.SIGSTOP)
	Eventually(t, 10*time.Second, "the node stands", func() bool {
		states, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", n.Process.Pid))
		return err == nil && !slices.ContainsFunc(states, func(path string) bool {
			text, err := os.ReadFile(path)
			return err == nil && !bytes.Contains(text, []byte(") T "))
		})
	})
}

// Kill ends the process at once, as a crash does.
func (n *Node) Kill(t T) {
	t.Helper()
	if err := n.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatalf("%v", err)
	}
	<-n.Ended
}

// End asks the process to drain and waits for its end.
func (n *Node) End(t T) {
	t.Helper()
	select {
	case <-n.Ended:
		return
	default:
	}
	if err := n.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("%v", err)
	}
	n.Await(t)
	if n.Err != nil {
		t.Errorf("the end of the node: %v\n%s", n.Err, n.Log)
	}
}

// Await waits for the process to end by itself.
func (n *Node) Await(t T) {
	t.Helper()
	select {
	case <-n.Ended:
	case <-time.After(time.Minute):
		t.Errorf("the node does not end\n%s", n.Log)
		_ = n.Process.Kill()
		<-n.Ended
	}
}
