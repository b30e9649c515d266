package test

import (
	"bufio"
	"io"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"asterism/test/lab"
)

// talk is a running client.
type talk struct {
	command *exec.Cmd
	in      io.WriteCloser
	lines   *bufio.Scanner
	faults  *lab.Log
	timer   *time.Timer
}

// startClient starts a client; one that hangs is ended, so that no test waits
// forever.
func startClient(t *testing.T, command *exec.Cmd) *talk {
	t.Helper()
	c := &talk{command: command, faults: &lab.Log{}}
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = c.faults
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	c.in, c.lines = in, bufio.NewScanner(out)
	c.lines.Buffer(nil, 1<<20)
	c.timer = time.AfterFunc(2*time.Minute, func() { _ = command.Process.Kill() })
	t.Cleanup(func() {
		c.timer.Stop()
		if command.ProcessState == nil {
			_ = command.Process.Kill()
			_ = command.Wait()
		}
	})
	return c
}

// ask gives the client a step and reads what it prints.
func (c *talk) ask(t *testing.T, s step) answered {
	t.Helper()
	if _, err := io.WriteString(c.in, strconv.Itoa(max(s.times, 1))+"\t"+s.call+"\n"); err != nil {
		t.Fatalf("%s: %v\n%s", s.what, err, c.faults)
	}
	if !c.lines.Scan() {
		t.Fatalf("%s: the client ended: %v\n%s", s.what, c.lines.Err(), c.faults)
	}
	return parseAnswer(c.lines.Text())
}

// end closes the client's input, upon which it must end without a complaint.
func (c *talk) end(t *testing.T) {
	t.Helper()
	c.in.Close()
	for c.lines.Scan() {
		t.Errorf("one line too many: %s", c.lines.Text())
	}
	if err := c.command.Wait(); err != nil || c.faults.String() != "" {
		t.Errorf("the client: %v\n%s", err, c.faults)
	}
}
