package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"
)

const (
	// maxReport bounds what a client process may write. A report is a few KB,
	// nearly all of it the latencies, of which there are 17,408 at most.
	maxReport = 8 << 20
	// maxComplaint bounds what is kept of its standard error.
	maxComplaint = 4 << 10
	// reapTime is how long a process may hold on to its pipes once it has been
	// told to end.
	reapTime = 2 * time.Second
)

// process is one client process as its parent sees it.
type process struct {
	command   *exec.Cmd
	orders    io.WriteCloser
	answers   *json.Decoder
	complaint *complaint
}

// startProcess starts a client process and gives it its job. The process is
// killed when ctx ends; end must be called either way.
func startProcess(ctx context.Context, plan Plan, work job) (*process, error) {
	command := exec.CommandContext(ctx, plan.Executable, append(slices.Clone(plan.Arguments), work.options()...)...)
	// One request is in flight at any time, so a second thread of the Go
	// scheduler would only spin, at the server's expense.
	command.Env = append(command.Environ(), "GOMAXPROCS=1")
	command.WaitDelay = reapTime
	complaint := &complaint{}
	command.Stderr = complaint
	orders, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("client process: %w", err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("client process: %w", err)
	}
	command.Cancel = func() error {
		// Closed too, since a child of the child may hold the other end.
		output.Close()
		return command.Process.Kill()
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("client process %s: %w", plan.Executable, err)
	}
	return &process{
		command:   command,
		orders:    orders,
		answers:   json.NewDecoder(io.LimitReader(output, maxReport)),
		complaint: complaint,
	}, nil
}

// awaitReady returns once the process has prepared all that it can.
func (p *process) awaitReady() error {
	var answer ready
	if err := p.answers.Decode(&answer); err != nil {
		return fmt.Errorf("wait until ready: %w", unexpected(err))
	}
	if !answer.Ready {
		return errors.New("wait until ready: it said something else; does the executable run bench's client?")
	}
	return nil
}

// begin lets the process ask.
func (p *process) begin() error {
	if _, err := io.WriteString(p.orders, "start\n"); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	return nil
}

func (p *process) awaitReport() (report, error) {
	var found report
	if err := p.answers.Decode(&found); err != nil {
		return report{}, fmt.Errorf("read its report: %w", unexpected(err))
	}
	return found, found.validate()
}

// end closes the pipes and waits for the process. Its error is an exit status
// that the process chose itself, with what it said on standard error; being
// killed is none, since that is this side's doing.
func (p *process) end() error {
	p.orders.Close()
	_ = p.command.Wait() // tells the same as the state below
	status := p.command.ProcessState.ExitCode()
	if status <= 0 {
		return nil
	}
	return fmt.Errorf("it ended with exit status %d: %s", status, bytes.TrimSpace(p.complaint.text))
}

// complaint keeps the beginning of what a process writes.
type complaint struct {
	text []byte
}

// Write never fails: a full complaint must not stop the process that complains.
func (c *complaint) Write(text []byte) (int, error) {
	room := maxComplaint - len(c.text)
	c.text = append(c.text, text[:min(len(text), room)]...)
	return len(text), nil
}
