package server

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asterism/internal/config"
	"asterism/internal/failure"
)

func TestCheckNamesTheFileThatCanNotBeUsed(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	folder := t.TempDir()
	absent := filepath.Join(folder, "absent")
	text := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		write(t, path, text)
		return path
	}
	f := func(field, complaint string, set func(*config.Config)) {
		t.Helper()
		cfg := testConfig(t)
		withTLS(t, &cfg, a, nil)
		withClientCA(t, &cfg, a)
		cfg.Clients = map[string]config.Client{"oslo": {User: "oslo", PasswordFile: passwordFile(t, "word")}}
		if err := Check(cfg); err != nil {
			t.Fatalf("before the change: %v", err)
		}
		set(&cfg)
		var fault *failure.Error
		err := Check(cfg)
		if !errors.As(err, &fault) || fault.Field != field || fault.Kind != failure.Invalid || fault.Hint == "" || !strings.Contains(err.Error(), complaint) {
			t.Errorf("want a fault of %s with %q, got %v", field, complaint, err)
		}
	}
	hello := text("hello", []byte("hello"))
	certificate, key := a.issue(t, "other", nil)
	other := text("other.pem", certificate)
	f("asterisk.tls_cert", "read "+absent, func(c *config.Config) { c.Asterisk.TLSCert = absent })
	f("asterisk.tls_cert", "is a directory", func(c *config.Config) { c.Asterisk.TLSCert = folder })
	f("asterisk.tls_cert", "holds no certificate in PEM form", func(c *config.Config) { c.Asterisk.TLSCert = hello })
	f("asterisk.tls_cert", "holds no certificate in PEM form", func(c *config.Config) { c.Asterisk.TLSCert = c.Asterisk.TLSKey })
	f("asterisk.tls_key", "no such file", func(c *config.Config) { c.Asterisk.TLSKey = absent })
	f("asterisk.tls_key", "holds no private key in PEM form", func(c *config.Config) { c.Asterisk.TLSKey = other })
	f("asterisk.tls_key", "with the certificate "+other, func(c *config.Config) { c.Asterisk.TLSCert = other })
	locked := text("locked.pem", bytes.ReplaceAll(key, []byte("PRIVATE KEY"), []byte("ENCRYPTED PRIVATE KEY")))
	f("asterisk.tls_key", "the key is encrypted", func(c *config.Config) { c.Asterisk.TLSKey = locked })
	f("asterisk.client_ca", "no such file", func(c *config.Config) { c.Asterisk.ClientCA = absent })
	f("asterisk.client_ca", "holds no certificate in PEM form", func(c *config.Config) { c.Asterisk.ClientCA = hello })
	broken := text("broken.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("hello")}))
	f("asterisk.client_ca", "read the authorities in "+broken, func(c *config.Config) { c.Asterisk.ClientCA = broken })
	f("clients.oslo.password_file", "no such file", func(c *config.Config) {
		c.Clients = map[string]config.Client{"oslo": {User: "oslo", PasswordFile: absent}}
	})
	f("asterisk.tls_cert", "expired on", func(c *config.Config) {
		withTLS(t, c, a, func(template *x509.Certificate) { template.NotAfter = time.Now().Add(-time.Minute) })
	})
	cfg := testConfig(t)
	cfg.Asterisk.TLSCert, cfg.Asterisk.TLSKey, cfg.Asterisk.ClientCA = absent, absent, absent
	if err := Check(cfg); strings.Count(err.Error(), absent) != 3 {
		t.Errorf("three faults at once: %v", err)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	f := func(want string, set func(*config.Config)) {
		t.Helper()
		cfg := testConfig(t)
		withTLS(t, &cfg, a, nil)
		withClientCA(t, &cfg, a)
		cfg.Clients = map[string]config.Client{"oslo": {User: "oslo", PasswordFile: passwordFile(t, "word")}}
		set(&cfg)
		if err := Check(cfg); err != nil {
			t.Errorf("a warning is no fault: %v", err)
		}
		if got := strings.Join(Warnings(cfg), "\n"); want == "" && got != "" || !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("it is warned of %q, want %q", got, want)
		}
	}
	f("", func(*config.Config) {})
	f("is not valid before", func(c *config.Config) {
		withTLS(t, c, a, func(template *x509.Certificate) { template.NotBefore = time.Now().Add(time.Hour) })
	})
	f("have it renewed", func(c *config.Config) {
		withTLS(t, c, a, func(template *x509.Certificate) { template.NotAfter = time.Now().Add(soonExpired - time.Hour) })
	})
	f("asterisk.tls_key names (chmod o= ", func(c *config.Config) { widen(t, c.Asterisk.TLSKey) })
	f("clients.oslo.password_file names", func(c *config.Config) { widen(t, c.Clients["oslo"].PasswordFile) })
	f("cross the network unencrypted", func(c *config.Config) {
		c.Asterisk.TLSCert, c.Asterisk.TLSKey, c.Asterisk.ClientCA, c.Asterisk.Listen = "", "", "", "0.0.0.0:8640"
	})
	f("no client certificate of it is accepted", func(c *config.Config) {
		old := newAuthority(t, "old")
		template := *old.certificate
		template.NotAfter = time.Now().Add(-time.Minute)
		certificate, _ := (&authority{certificate: &template, key: old.key}).issue(t, "old", func(c *x509.Certificate) { c.NotAfter = template.NotAfter })
		write(t, c.Asterisk.ClientCA, certificate)
	})
}

// widen lets every user read a file.
func widen(t testing.TB, path string) {
	t.Helper()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAnExpiredCertificateIsServed: a node that stayed away would help nobody.
func TestAnExpiredCertificateIsServed(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, func(template *x509.Certificate) { template.NotAfter = time.Now().Add(-time.Minute) })
	log := &logbook{}
	s := startLogging(t, cfg, log)
	if len(log.lines("level=ERROR", "expired on")) != 1 {
		t.Error("the log does not tell of it once")
	}
	client := a.believing(t)
	if _, err := s.dial(t, client); err == nil {
		t.Error("a client that looks at dates agrees")
	}
	client.InsecureSkipVerify = true // as many an Asterisk is set
	if got := s.secure(t, client, asked("/lookup?number=1")); got.status != 200 {
		t.Errorf("a client that does not is answered %d", got.status)
	}
}
