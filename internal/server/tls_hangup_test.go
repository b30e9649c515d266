package server

import (
	"crypto/tls"
	"net"
	"syscall"
	"testing"
)

// TestAWriteWhoseClientHungUpIsNotAppliedOverTLS: its goodbye is a record of TLS
// that nobody has read yet when the write is about to be done.
func TestAWriteWhoseClientHungUpIsNotAppliedOverTLS(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	o := outside(t, cfg)
	o.exec(`INSERT INTO ps_aors (id, max_contacts) VALUES ('x', 1)`)
	s := start(t, cfg)
	given := 0
	f := func(version uint16, target, body string) {
		t.Helper()
		client := a.believing(t)
		client.MinVersion, client.MaxVersion = version, version
		layer, err := s.dial(t, client)
		if err != nil {
			t.Fatal(err)
		}
		// In one segment, so that no reader sees the request without the end.
		cork(t, layer.NetConn(), 1)
		send(t, layer, asAsterisk(target, body))
		if err := layer.Close(); err != nil {
			t.Fatal(err)
		}
		given++
	}
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		f(version, "/rt/ps_aors/update?id=x", "max_contacts=2")
		f(version, "/rt/ps_aors/store", "id=y")
		f(version, "/rt/ps_aors/destroy", "id=x&")
		f(version, "/rt/ps_contacts/store", "id=6001%3B%40c4fa&expiration_time=4102444800")
	}
	soon(t, "all writes were read and refused", func() bool {
		return s.metric(t, `asterism_rejected_total{reason="client hung up"}`) == float64(given)
	})
	if got := o.text("SELECT group_concat(id || max_contacts) FROM ps_aors"); got != "x1" {
		t.Errorf("SQL holds %s", got)
	}
	// Two writes at once: the second waits unread while the first is done.
	layer, err := s.dial(t, a.believing(t))
	if err != nil {
		t.Fatal(err)
	}
	send(t, layer, asAsterisk("/rt/ps_aors/update?id=x", "max_contacts=2")+asAsterisk("/rt/ps_aors/update?id=x", "max_contacts=3"))
	if got := receiveAnswer(t, layer); got.body != "1" {
		t.Errorf("a client that stays is answered %q", got.body)
	}
	soon(t, "the second write is done too", func() bool { return o.text("SELECT max_contacts FROM ps_aors WHERE id = 'x'") == "3" })
}

// cork holds back what is sent over a socket until it is full or closed.
func cork(t testing.TB, socket net.Conn, on int) {
	t.Helper()
	raw, err := socket.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_CORK, on) })
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
}
