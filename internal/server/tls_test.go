package server

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestHTTPSIsServedAndNothingElse(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	s := start(t, cfg)
	client := a.believing(t)
	if got := s.secure(t, client, asAsterisk("/rt/ps_aors/store", "id=6001&max_contacts=2")); got.status != 200 || got.body != "1" {
		t.Errorf("a write answers %d %q", got.status, got.body)
	}
	if got := s.secure(t, client, asAsterisk("/rt/ps_aors/single", "id=6001")); got.body != "id=6001&max_contacts=2" {
		t.Errorf("a question answers %q", got.body)
	}
	if got := s.secure(t, client, asked("/soap?wsdl")); !strings.Contains(got.body, `"https://dir.example.net:8640/soap"`) {
		t.Error("the WSDL does not name the address with https")
	}
	plain := s.connect(t)
	send(t, plain, asAsterisk("/rt/ps_aors/single", "id=6001"))
	if got, err := io.ReadAll(plain); len(got) > 0 {
		t.Errorf("a client without TLS is answered %q, %v", got, err)
	}
	s.counts(t, "no tls", 1)
}

func TestOldTLSAndHTTP2AreNotSpoken(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	s := start(t, cfg)
	f := func(version uint16, want bool) {
		t.Helper()
		client := a.believing(t)
		client.MinVersion, client.MaxVersion = version, version
		layer, err := s.dial(t, client)
		if (err == nil) != want {
			t.Errorf("TLS %#x: %v", version, err)
		}
		if err == nil && layer.ConnectionState().Version != version {
			t.Errorf("asked for %#x, got %#x", version, layer.ConnectionState().Version)
		}
	}
	f(tls.VersionTLS10, false)
	f(tls.VersionTLS11, false)
	f(tls.VersionTLS12, true)
	f(tls.VersionTLS13, true)
	s.counts(t, "tls handshake", 2)
	client := a.believing(t)
	client.NextProtos = []string{"h2", "http/1.1"}
	layer, err := s.dial(t, client)
	if err != nil || layer.ConnectionState().NegotiatedProtocol == "h2" {
		t.Errorf("protocol %q, %v", layer.ConnectionState().NegotiatedProtocol, err)
	}
	send(t, layer, asked("/lookup?number=1"))
	if got := receiveAnswer(t, layer); got.status != 200 {
		t.Errorf("a client that would rather speak HTTP/2 is answered %d", got.status)
	}
	if _, err := s.dial(t, newAuthority(t, "b").believing(t)); !errors.As(err, new(*tls.CertificateVerificationError)) {
		t.Errorf("a client that trusts another authority agrees: %v", err)
	}
	if n := s.metric(t, `asterism_rejected_total{reason="malformed request"}`); n != 0 {
		t.Errorf("%v malformed requests are counted, want none", n)
	}
}

// TestWhatIsNoRequestIsAnsweredByItsVerbOverTLSToo: the beginning of a request is
// remembered behind the encryption.
func TestWhatIsNoRequestIsAnsweredByItsVerbOverTLSToo(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	s := start(t, cfg)
	f := func(target, want string) {
		t.Helper()
		got := s.secure(t, a.believing(t), asked(target+strings.Repeat("x", MaxHeader)))
		if got.status != 431 || got.body != want {
			t.Errorf("%s answers %d %q, want 431 %q", target, got.status, got.body, want)
		}
	}
	f("/rt/ps_aors/single?id=", "")
	f("/rt/ps_aors/update?id=", "-1")
}

func TestClientCertificatesAreRequiredWithoutNamedClients(t *testing.T) {
	t.Parallel()
	a, clients, others := newAuthority(t, "a"), newAuthority(t, "clients"), newAuthority(t, "others")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	withClientCA(t, &cfg, clients)
	s := start(t, cfg)
	good := a.believing(t, both(clients.issue(t, "berlin", nil))...)
	if got := s.secure(t, good, asAsterisk("/rt/ps_aors/store", "id=1")); got.body != "1" {
		t.Errorf("a client with a certificate is answered %d %q", got.status, got.body)
	}
	f := func(what string, client *tls.Config) {
		t.Helper()
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			client.MaxVersion = version
			if !s.shut(t, client) {
				t.Errorf("a client %s is answered (TLS %#x)", what, version)
			}
		}
	}
	f("without a certificate", a.believing(t))
	f("with a certificate of another authority", a.believing(t, both(others.issue(t, "berlin", nil))...))
	f("with an expired certificate", a.believing(t, both(clients.issue(t, "berlin", func(c *x509.Certificate) {
		c.NotBefore, c.NotAfter = time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour)
	}))...))
	f("with a certificate that is not for clients", a.believing(t, both(clients.issue(t, "berlin", func(c *x509.Certificate) {
		c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}))...))
	s.counts(t, "tls handshake", 8)
}

// counts waits until so many refusals are counted: a client may see its end first.
func (s *serving) counts(t *testing.T, reason string, want float64) {
	t.Helper()
	soon(t, fmt.Sprintf("%v times %q are counted", want, reason), func() bool { return s.metric(t, `asterism_rejected_total{reason="`+reason+`"}`) == want })
}

func both(certificate, key []byte) [][]byte { return [][]byte{certificate, key} }

// TestAHandshakeThatNeverEnds: its connection is closed in time, and others are
// served meanwhile.
func TestAHandshakeThatNeverEnds(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	s := start(t, cfg)
	for range 50 {
		s.connect(t)
	}
	half := s.connect(t)
	send(t, half, "\x16\x03\x01")
	if got := s.secure(t, a.believing(t), asAsterisk("/rt/ps_aors/store", "id=1")); got.body != "1" {
		t.Errorf("beside 51 unfinished handshakes a client is answered %q", got.body)
	}
	if !endsSilently(t, half) {
		t.Error("an unfinished handshake is answered")
	}
	soon(t, "handshakes without end are counted", func() bool { return s.metric(t, `asterism_rejected_total{reason="tls handshake"}`) >= 1 })
}
