package server

import (
	"errors"
	"fmt"
	"net"

	"github.com/coreos/go-systemd/v22/activation"

	"asterism/internal/config"
	"asterism/internal/failure"
)

// listeners are a node's listening sockets.
type listeners struct{ asterisk, people net.Listener }

// Names under which systemd hands sockets over (FileDescriptorName= in
// asterism.socket); without names the first is the Asterisk-facing one.
const (
	asteriskName = "asterisk"
	peopleName   = "people"
)

// takeListeners gives the sockets that systemd holds for us, and opens those that
// it does not.
func takeListeners(cfg config.Config) (l listeners, err error) {
	named, err := activation.ListenersWithNames()
	if err != nil {
		return l, fmt.Errorf("take the sockets of systemd: %w", err)
	}
	for name, of := range named {
		for _, listener := range of {
			l.adopt(name, listener)
		}
	}
	if l.asterisk == nil {
		if l.asterisk, err = listen("asterisk.listen", cfg.Asterisk.Listen); err != nil {
			return l, errors.Join(err, l.close())
		}
	}
	if l.people == nil {
		if l.people, err = listen("people.listen", cfg.People.Listen); err != nil {
			return l, errors.Join(err, l.close())
		}
	}
	return l, nil
}

func (l *listeners) adopt(name string, listener net.Listener) {
	switch {
	case name == peopleName:
		l.people = listener
	case name == asteriskName, l.asterisk == nil:
		l.asterisk = listener
	default:
		l.people = listener
	}
}

func listen(setting, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &failure.Error{
			Kind: failure.Unavailable, Field: setting, Message: "listen on " + address,
			Hint: "set " + setting + " to a free address, or end the program that holds it", Cause: err,
		}
	}
	return listener, nil
}

func (l *listeners) close() error {
	var failed []error
	for _, listener := range []net.Listener{l.asterisk, l.people} {
		if listener != nil {
			failed = append(failed, listener.Close())
		}
	}
	return errors.Join(failed...)
}

// descriptors gives the sockets' own descriptors, to send to another process
// while the listeners live. (Duplicates by File would turn them to blocking.)
func (l *listeners) descriptors() (fds []int, err error) {
	for _, listener := range []net.Listener{l.asterisk, l.people} {
		tcp, ok := listener.(*net.TCPListener)
		if !ok {
			return nil, fmt.Errorf("listener %s can't be handed over", listener.Addr())
		}
		raw, err := tcp.SyscallConn()
		if err != nil {
			return nil, fmt.Errorf("hand over %s: %w", listener.Addr(), err)
		}
		if err := raw.Control(func(fd uintptr) { fds = append(fds, int(fd)) }); err != nil {
			return nil, fmt.Errorf("hand over %s: %w", listener.Addr(), err)
		}
	}
	return fds, nil
}
