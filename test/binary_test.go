package test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// binary is the built program; TestMain makes it.
var binary string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "asterism-test")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(folder, "asterism")
	build := exec.Command("go", "build", "-o", binary, "../cmd/asterism")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	status := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// rounds is how often a test repeats what kills or restarts: few in make test,
// ASTERISM_ROUNDS in make soak.
func rounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("ASTERISM_ROUNDS")
	if text == "" {
		return 5
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// soaking tells whether the heavy form of a test is wanted.
func soaking() bool { return os.Getenv("ASTERISM_ROUNDS") != "" }

// needProgram skips without a program from outside, but never in CI.
func needProgram(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("missing program %s", name)
		}
		t.Skipf("missing program %s", name)
	}
}

// home is a node's files: config, store, state.
type home struct {
	folder, config string
}

func newHome(t *testing.T) *home {
	t.Helper()
	folder := t.TempDir()
	h := &home{folder: folder, config: filepath.Join(folder, "asterism.toml")}
	text := fmt.Sprintf("[node]\nname = \"test\"\nstate = %q\n[store]\nurl = %q\n[asterisk]\nlisten = \"127.0.0.1:0\"\n[people]\nlisten = \"127.0.0.1:0\"\n",
		filepath.Join(folder, "state"), "sqlite:"+h.database())
	if err := os.WriteFile(h.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h.run(t, "init")
	return h
}

func (h *home) database() string { return filepath.Join(h.folder, "asterism.db") }

// command makes a command of the binary with this home's config.
func (h *home) command(arguments ...string) *exec.Cmd {
	return exec.Command(binary, append(arguments, "--config", h.config)...)
}

// run runs a command to its end and gives what it printed.
func (h *home) run(t *testing.T, arguments ...string) string {
	t.Helper()
	command := h.command(arguments...)
	var faults bytes.Buffer
	command.Stderr = &faults
	out, err := command.Output()
	if err != nil {
		t.Fatalf("asterism %s: %v\n%s%s", strings.Join(arguments, " "), err, out, faults.String())
	}
	return string(out)
}

// process is a serving node.
type process struct {
	*exec.Cmd
	Asterisk, People string // where it listens
	ended            chan struct{}
	err              error
	log              *lockedBuffer
}

// serve starts a node and returns once it answers.
func (h *home) serve(t *testing.T, arguments ...string) *process {
	t.Helper()
	command := h.command(append([]string{"serve", "--log", "json"}, arguments...)...)
	return h.start(t, command)
}

// start starts a command that serves and returns once it says so.
func (h *home) start(t *testing.T, command *exec.Cmd) *process {
	t.Helper()
	p := &process{Cmd: command, ended: make(chan struct{}), log: &lockedBuffer{}}
	out, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	serving := make(chan [2]string, 1)
	go func() {
		p.follow(bufio.NewScanner(out), serving)
		p.err = command.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() { p.end(t) })
	select {
	case at := <-serving:
		p.Asterisk, p.People = at[0], at[1]
	case <-p.ended:
		t.Fatalf("the node ended at once: %v\n%s", p.err, p.log)
	case <-time.After(time.Minute):
		t.Fatalf("the node does not serve after a minute\n%s", p.log)
	}
	return p
}

// follow reads the node's log and notes where it serves.
func (p *process) follow(lines *bufio.Scanner, serving chan<- [2]string) {
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.log.add(lines.Bytes())
		var line struct{ Msg, Asterisk, People string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			serving <- [2]string{line.Asterisk, line.People}
		}
	}
}

// kill ends the process at once, as a crash does.
func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	<-p.ended
}

// end asks the process to drain and waits for its end.
func (p *process) end(t *testing.T) {
	t.Helper()
	select {
	case <-p.ended:
		return
	default:
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	p.await(t)
	if p.err != nil {
		t.Errorf("the end of the node: %v\n%s", p.err, p.log)
	}
}

// await waits for the process to end by itself.
func (p *process) await(t *testing.T) {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		t.Errorf("the node does not end\n%s", p.log)
		_ = p.Process.Kill()
		<-p.ended
	}
}

// eventually asks again and again until a condition holds.
func eventually(t *testing.T, within time.Duration, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("not within %v: %s", within, what)
		}
	}
}
