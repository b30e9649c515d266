package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"asterism/internal/failure"
)

// Handing over, so that a restart refuses nobody. The new process connects to
// this socket; the old one sends its listening sockets and serves on. When the
// new one has loaded the directory it sends one byte; the old one stops
// accepting, answers what is under way, closes its files and ends the
// connection. Until then requests wait in the backlog of sockets that both hold.
const handoverName = "handover.sock"

// handoverTimeout bounds how long the old process may take to end.
const handoverTimeout = 30 * time.Second

// openOffer opens the socket through which another process may take over.
func openOffer(state string) (*net.UnixListener, error) {
	path := filepath.Join(state, handoverName)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("offer %s: %w", path, err)
	}
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("offer %s: %w", path, err)
	}
	socket.SetUnlinkOnClose(false) // by then it may be the successor's
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("offer %s: %w", path, err), socket.Close())
	}
	return socket, nil
}

// offer waits for a process that takes over until the context ends, and gives the
// connection to it once it is loaded; nil when none came.
func offer(ctx context.Context, socket *net.UnixListener, l listeners, log *slog.Logger) *net.UnixConn {
	stop := context.AfterFunc(ctx, func() { _ = socket.Close() })
	defer stop()
	for {
		successor, err := socket.AcceptUnix()
		if err != nil {
			return nil // closed: we are leaving
		}
		if err := handOver(successor, l); err != nil {
			log.Warn("another process asked to take over and went away: serving on", "error", err)
			_ = successor.Close()
			continue
		}
		return successor
	}
}

// handOver sends the sockets and waits for the successor to be loaded.
func handOver(successor *net.UnixConn, l listeners) error {
	fds, err := l.descriptors()
	if err != nil {
		return err
	}
	if _, _, err := successor.WriteMsgUnix([]byte{byte(len(fds))}, syscall.UnixRights(fds...), nil); err != nil {
		return fmt.Errorf("send the sockets: %w", err)
	}
	var ready [1]byte
	if _, err := successor.Read(ready[:]); err != nil {
		return fmt.Errorf("wait for the successor: %w", err)
	}
	return nil
}

// takeOver asks the node that serves a state folder for its sockets.
func takeOver(state string) (l listeners, old *net.UnixConn, err error) {
	path := filepath.Join(state, handoverName)
	old, err = net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return l, nil, &failure.Error{Kind: failure.Absent, Message: "no node to take over from at " + path, Cause: err}
	}
	l, err = receive(old)
	if err != nil {
		return l, nil, errors.Join(fmt.Errorf("take over from %s: %w", path, err), old.Close())
	}
	return l, old, nil
}

func receive(old *net.UnixConn) (l listeners, err error) {
	message, control := make([]byte, 1), make([]byte, syscall.CmsgSpace(2*4))
	_, n, _, _, err := old.ReadMsgUnix(message, control)
	if err != nil {
		return l, err
	}
	messages, err := syscall.ParseSocketControlMessage(control[:n])
	if err != nil || len(messages) != 1 {
		return l, errors.Join(errors.New("no sockets came"), err)
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 2 {
		return l, errors.Join(fmt.Errorf("%d sockets came instead of 2", len(fds)), err)
	}
	if l.asterisk, err = listenerOf(fds[0], asteriskName); err != nil {
		return l, err
	}
	l.people, err = listenerOf(fds[1], peopleName)
	return l, err
}

func listenerOf(fd int, name string) (net.Listener, error) {
	file := os.NewFile(uintptr(fd), name)
	defer file.Close() // FileListener duplicates it
	syscall.CloseOnExec(fd)
	return net.FileListener(file)
}

// awaitEnd tells the old process that this one is loaded and waits for its end.
func awaitEnd(old *net.UnixConn) error {
	defer old.Close()
	if _, err := old.Write([]byte{1}); err != nil {
		return nil // it is gone already; its lock tells
	}
	if err := old.SetReadDeadline(time.Now().Add(handoverTimeout)); err != nil {
		return fmt.Errorf("take over: %w", err)
	}
	var end [1]byte
	if _, err := old.Read(end[:]); errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("take over: the old process did not end within %v", handoverTimeout)
	}
	return nil
}
