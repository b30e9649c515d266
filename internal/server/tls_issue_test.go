package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"asterism/internal/config"
)

// authority issues the certificates of a test.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	serial      int64
}

func newAuthority(t testing.TB, name string) *authority {
	t.Helper()
	a := &authority{key: newKey(t)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return a
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// issue makes a certificate for 127.0.0.1 that is valid for a year from now,
// unless change says otherwise.
func (a *authority) issue(t testing.TB, name string, change func(*x509.Certificate)) (certificate, key []byte) {
	t.Helper()
	a.serial++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(a.serial), Subject: pkix.Name{CommonName: name, Organization: []string{"Example"}}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(365 * 24 * time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if change != nil {
		change(template)
	}
	private := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, private.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return asPEM("CERTIFICATE", der), asPEM("PRIVATE KEY", text)
}

func asPEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// pem is the authority's own certificate.
func (a *authority) pem() []byte { return asPEM("CERTIFICATE", a.certificate.Raw) }

// believing is what a client needs that trusts the authority, and that shows a
// certificate when one is given.
func (a *authority) believing(t testing.TB, pair ...[]byte) *tls.Config {
	t.Helper()
	client := &tls.Config{RootCAs: x509.NewCertPool()}
	client.RootCAs.AddCert(a.certificate)
	if len(pair) == 2 {
		shown, err := tls.X509KeyPair(pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		// Whether or not the server names its authority.
		client.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &shown, nil }
	}
	return client
}

// write writes a file of a test, in one step as a careful renewal does.
func write(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// withTLS sets the files of TLS in a config; the authority issues them.
func withTLS(t testing.TB, cfg *config.Config, a *authority, change func(*x509.Certificate)) {
	t.Helper()
	folder := t.TempDir()
	cfg.Asterisk.TLSCert, cfg.Asterisk.TLSKey = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	certificate, key := a.issue(t, "node", change)
	write(t, cfg.Asterisk.TLSCert, certificate)
	write(t, cfg.Asterisk.TLSKey, key)
}

// withClientCA names the authority of clients in a config.
func withClientCA(t testing.TB, cfg *config.Config, a *authority) {
	t.Helper()
	cfg.Asterisk.ClientCA = filepath.Join(t.TempDir(), "ca.pem")
	write(t, cfg.Asterisk.ClientCA, a.pem())
}

// dial agrees on TLS with a node. With TLS 1.3 a client learns only from its
// first answer whether its certificate is taken.
func (s *serving) dial(t testing.TB, client *tls.Config) (*tls.Conn, error) {
	t.Helper()
	client = client.Clone()
	client.ServerName = "127.0.0.1"
	below := s.connect(t)
	layer := tls.Client(below, client)
	return layer, layer.HandshakeContext(t.Context())
}

// secure sends a request over TLS on a connection of its own.
func (s *serving) secure(t testing.TB, client *tls.Config, request string) answer {
	t.Helper()
	layer, err := s.dial(t, client)
	if err != nil {
		t.Fatal(err)
	}
	send(t, layer, request)
	return receiveAnswer(t, layer)
}

// shut tells whether a node ends a connection instead of answering a client.
func (s *serving) shut(t testing.TB, client *tls.Config) bool {
	t.Helper()
	layer, err := s.dial(t, client)
	if err != nil {
		return true
	}
	defer layer.Close()
	if _, err := layer.Write([]byte(asked("/lookup?number=1"))); err != nil {
		return true
	}
	n, err := layer.Read(make([]byte, 1))
	return n == 0 && err != nil
}
