package lab

import (
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"time"
)

// Manager is a connection to the manager interface of an instance (AMI).
type Manager struct{ connection *textproto.Conn }

// ManagerFile is a manager.conf for a port of 127.0.0.1.
func ManagerFile(port int) string {
	return fmt.Sprintf("[general]\nenabled = yes\nbindaddr = 127.0.0.1\nport = %d\n[lab]\nsecret = lab\nread = all\nwrite = all\n", port)
}

// NewManager logs in at a port; the test's end logs out.
func NewManager(t T, port int) *Manager {
	t.Helper()
	dialled, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), 10*time.Second)
	if err != nil {
		t.Fatalf("the manager: %v", err)
	}
	m := &Manager{textproto.NewConn(dialled)}
	t.Cleanup(func() { _ = m.connection.Close() })
	if _, err := m.connection.ReadLine(); err != nil {
		t.Fatalf("the manager's greeting: %v", err)
	}
	if got := m.Act(t, "Login", "Username: lab", "Secret: lab", "Events: off"); got.Get("Response") != "Success" {
		t.Fatalf("the manager's login: %v", got)
	}
	return m
}

// Act sends an action with lines of its own and gives its response.
func (m *Manager) Act(t T, action string, lines ...string) textproto.MIMEHeader {
	t.Helper()
	m.Send(t, action, lines...)
	return m.Response(t)
}

// Send sends an action with lines of its own.
func (m *Manager) Send(t T, action string, lines ...string) {
	t.Helper()
	if err := m.connection.PrintfLine("%s\r\n", strings.Join(append([]string{"Action: " + action}, lines...), "\r\n")); err != nil {
		t.Fatalf("%s: %v", action, err)
	}
}

// Response gives the next response.
func (m *Manager) Response(t T) textproto.MIMEHeader {
	t.Helper()
	for {
		response := m.Next(t)
		if response.Get("Response") != "" {
			return response
		}
	}
}

// Next gives the next message, an event perhaps.
func (m *Manager) Next(t T) textproto.MIMEHeader {
	t.Helper()
	message, err := m.connection.ReadMIMEHeader()
	if err != nil {
		t.Fatalf("the manager: %v", err)
	}
	return message
}

// Evaluate gives what a dialplan expression is, as a call would see it.
func (m *Manager) Evaluate(t T, expression string) string {
	t.Helper()
	return m.Act(t, "Getvar", "Variable: "+expression).Get("Value")
}
