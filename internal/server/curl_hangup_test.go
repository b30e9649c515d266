package server

import (
	"fmt"
	"syscall"
	"testing"
)

// TestAWriteWhoseClientHungUpIsNotApplied: Asterisk has given it up and counts it
// as failed.
func TestAWriteWhoseClientHungUpIsNotApplied(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO ps_aors (id, max_contacts) VALUES ('x', 1)`)
	given := 0
	f := func(target, body string) {
		t.Helper()
		connection := s.connect(t)
		raw, err := connection.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		// Corked, the request leaves in one segment with the end of the
		// connection, so that no reader sees one without the other.
		err = raw.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CORK, 1) })
		if err != nil {
			t.Fatal(err)
		}
		send(t, connection, asAsterisk(target, body))
		if err := connection.Close(); err != nil {
			t.Fatal(err)
		}
		given++
	}
	f("/rt/ps_aors/update?id=x", "max_contacts=2")
	f("/rt/ps_aors/store", "id=y")
	f("/rt/ps_aors/destroy", "id=x&")
	f("/rt/ps_contacts/store", "id=6001%3B%40c4fa&expiration_time=4102444800")
	f("/rt/voicemail/update?&context=defaultmailbox=1001", "&password=1")
	soon(t, "all writes were read and refused", func() bool {
		return s.metric(t, `asterism_rejected_total{reason="client hung up"}`) == float64(given)
	})
	if got := s.ask(t, "/rt/ps_contacts/single", "id=6001%3B%40c4fa"); got != "" {
		t.Errorf("a contact whose client hung up is there: %q", got)
	}
	if got := o.text("SELECT group_concat(id || max_contacts) FROM ps_aors"); got != "x1" {
		t.Errorf("SQL holds %s", got)
	}
	if got := s.ask(t, "/rt/ps_aors/update?id=x", "max_contacts=2"); got != "1" {
		t.Errorf("a client that stays is answered %q", got)
	}
}

// TestAWriteThatBrokeOffIsNotApplied: half of its fields would be worse than none.
func TestAWriteThatBrokeOffIsNotApplied(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO ps_aors (id, max_contacts, contact) VALUES ('x', 1, 'a')`)
	for range 20 {
		connection := s.connect(t)
		send(t, connection, fmt.Sprintf("POST /rt/ps_aors/update?id=x HTTP/1.1\r\nHost: dir\r\nContent-Length: %d\r\n\r\nmax_contacts=2&", 100))
		if err := connection.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got := receiveAnswer(t, connection); got.body != "-1" {
			t.Errorf("half a write answers %d %q, want -1", got.status, got.body)
		}
	}
	if got := o.text("SELECT id || max_contacts || contact FROM ps_aors"); got != "x1a" {
		t.Errorf("SQL holds %s", got)
	}
}
