package server

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func newLogTo(t testing.TB) *slog.Logger { return slog.New(slog.NewTextHandler(t.Output(), nil)) }

// serial is the number of the certificate that a node shows a new client.
func (s *serving) serial(t testing.TB, client *tls.Config) int64 {
	t.Helper()
	layer, err := s.dial(t, client)
	if err != nil {
		t.Fatal(err)
	}
	defer layer.Close()
	return layer.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

// TestNewCertificatesAreTakenWithoutARestart: by themselves and by a reload, and
// who is connected stays so.
func TestNewCertificatesAreTakenWithoutARestart(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	s := start(t, cfg)
	client := a.believing(t)
	open, err := s.dial(t, client)
	if err != nil {
		t.Fatal(err)
	}
	asks := func() {
		t.Helper()
		send(t, open, asked("/lookup?number=1"))
		if got := receiveAnswer(t, open); got.status != 200 {
			t.Errorf("the open connection is answered %d", got.status)
		}
	}
	asks()
	if got := s.serial(t, client); got != 1 {
		t.Fatalf("the first certificate is number %d", got)
	}
	certificate, key := a.issue(t, "node", nil)
	write(t, cfg.Asterisk.TLSCert, certificate)
	write(t, cfg.Asterisk.TLSKey, key)
	soon(t, "the second certificate is shown", func() bool { return s.serial(t, client) == 2 })
	asks()
	control, err := Dial(cfg.Node.State)
	if err != nil {
		t.Fatal(err)
	}
	third, key := a.issue(t, "node", nil)
	write(t, cfg.Asterisk.TLSCert, third)
	if _, err := control.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), "with the certificate "+cfg.Asterisk.TLSCert) {
		t.Errorf("a reload with a key that does not belong: %v", err)
	}
	if got := s.serial(t, client); got != 2 {
		t.Errorf("after a reload that could not be, number %d is shown, want 2", got)
	}
	write(t, cfg.Asterisk.TLSKey, key)
	if _, err := control.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	if got := s.serial(t, client); got != 3 {
		t.Errorf("after a reload number %d is shown, want 3", got)
	}
	asks()
}

// TestANewAuthorityOfClients: whom the old one vouched for is not let in again,
// not even with the session of before.
func TestANewAuthorityOfClients(t *testing.T) {
	t.Parallel()
	a, before, after := newAuthority(t, "a"), newAuthority(t, "before"), newAuthority(t, "after")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	withClientCA(t, &cfg, before)
	s := start(t, cfg)
	old, fresh := a.believing(t, both(before.issue(t, "berlin", nil))...), a.believing(t, both(after.issue(t, "berlin", nil))...)
	old.ClientSessionCache = tls.NewLRUClientSessionCache(4)
	for range 2 { // the second time with the session of the first
		if s.shut(t, old) || !s.shut(t, fresh) {
			t.Fatal("before the change the wrong client is let in")
		}
	}
	write(t, cfg.Asterisk.ClientCA, after.pem())
	soon(t, "the new authority's client is let in", func() bool { return !s.shut(t, fresh) })
	if !s.shut(t, old) {
		t.Error("a client of the old authority is still let in")
	}
}

// TestBadNewFilesChangeNothing: the files are looked at once a second at most, a
// bad one is told of once, and the next good one is taken.
func TestBadNewFilesChangeNothing(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	log := &logbook{}
	c, err := openCertificates(cfg, slog.New(slog.NewTextHandler(io.MultiWriter(log, t.Output()), nil)))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	c.now = func() time.Time { return now }
	first := c.current.Load()
	f := func(what string, certificate []byte, complaint string) {
		t.Helper()
		write(t, cfg.Asterisk.TLSCert, certificate)
		c.look()
		if len(log.lines(complaint)) > 0 {
			t.Errorf("%s is looked at within a second", what)
		}
		for range 3 {
			now = now.Add(lookEvery)
			c.look()
		}
		if c.current.Load() != first {
			t.Errorf("%s is taken", what)
		}
		if n := len(log.lines(complaint)); n != 1 {
			t.Errorf("%s is told of %d times, want once", what, n)
		}
	}
	other, _ := a.issue(t, "node", nil)
	f("a certificate without its key", other, "must have been made for this key")
	f("what is no certificate", []byte("hello"), "holds no certificate in PEM form")
	certificate, key := a.issue(t, "node", func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) })
	write(t, cfg.Asterisk.TLSKey, key)
	f("an expired certificate", certificate, "expired on")
	certificate, key = a.issue(t, "node", nil)
	write(t, cfg.Asterisk.TLSCert, certificate)
	write(t, cfg.Asterisk.TLSKey, key)
	now = now.Add(lookEvery)
	c.look()
	if c.current.Load() == first || len(log.lines("certificate read")) != 1 {
		t.Error("a good certificate after bad ones is not taken")
	}
}
