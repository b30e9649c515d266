package server

import (
	"net"
	"os"
	"syscall"
	"testing"
)

// crowded is a listener that runs out of file descriptors before it accepts.
type crowded struct {
	net.Listener
	failures int
}

func (l *crowded) Accept() (net.Conn, error) {
	if l.failures--; l.failures >= 0 {
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

func TestRunningOutOfDescriptorsEndsNothing(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := busy()
	ended := make(chan error, 1)
	go func() { ended <- l.serve(&crowded{listener, 3}) }()
	s := &serving{Addresses: Addresses{Asterisk: listener.Addr().String()}}
	if got := s.raw(t, asked("/nosuch")); got.status != 404 {
		t.Errorf("after that a client is answered %d, want 404", got.status)
	}
	l.drain(t.Context(), listener)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
