package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"asterism/internal/bench"
)

// server is a peer's running process.
type server struct {
	address string
	command *exec.Cmd
	ended   chan struct{}
	err     error // of its end, once ended is closed
}

const (
	readyWithin = 5 * time.Minute // ten million rows on a busy machine
	endWithin   = 30 * time.Second
)

// start starts a command; the caller waits until it serves.
func start(command *exec.Cmd, address string) (*server, error) {
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", command.Path, err)
	}
	s := &server{address: address, command: command, ended: make(chan struct{})}
	go func() {
		s.err = command.Wait()
		close(s.ended)
	}()
	return s, nil
}

// awaitListening waits until somebody accepts connections at the address.
func (s *server) awaitListening(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		connection, err := net.Dial("tcp", s.address)
		if err == nil {
			return connection.Close()
		}
		select {
		case <-again.C:
		case <-s.ended:
			return fmt.Errorf("%s ended before it served: %w", s.command.Path, s.err)
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", s.command.Path, err)
		}
	}
}

// end asks the process to end and waits, then kills.
func (s *server) end() error {
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end %s: %w", s.command.Path, err)
	}
	late := time.NewTimer(endWithin)
	defer late.Stop()
	select {
	case <-s.ended:
		return nil
	case <-late.C:
	}
	_ = s.command.Process.Kill()
	<-s.ended
	return fmt.Errorf("%s did not end within %v of being asked to", s.command.Path, endWithin)
}

// cpu finds the processes behind the address, nginx's workers too.
func (s *server) cpu() (bench.ServerCPU, error) {
	address, err := netip.ParseAddrPort(s.address)
	if err != nil {
		return bench.ServerCPU{}, err
	}
	return bench.FindServer(address), nil
}

// resident is the memory of the process in bytes.
func (s *server) resident() (int64, error) {
	path := fmt.Sprintf("/proc/%d/status", s.command.Process.Pid)
	status, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if value, found := strings.CutPrefix(line, "VmRSS:"); found {
			var kilobytes int64
			_, err := fmt.Sscanf(value, "%d kB", &kilobytes)
			return kilobytes << 10, err
		}
	}
	return 0, fmt.Errorf("%s says nothing of VmRSS", path)
}

// freeAddress is one of loopback that nobody listens at.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}
