package server

import (
	"crypto/x509"
	"fmt"
	"os"
	"time"

	"asterism/internal/config"
	"asterism/internal/failure"
)

// soonExpired is how long before its end a certificate is warned of.
const soonExpired = 14 * 24 * time.Hour

// expired tells of a certificate that no careful client takes any more.
func (id identity) expired(path string, now time.Time) error {
	if now.Before(id.chain.Leaf.NotAfter) {
		return nil
	}
	return &failure.Error{
		Kind: failure.Invalid, Field: certificateKey, Message: "the certificate in " + path + " expired on " + day(id.chain.Leaf.NotAfter),
		Hint: "have it renewed; new files are noticed without a restart",
	}
}

// warnings are what should be mended in files that can be used.
func (id identity) warnings(door config.Asterisk, now time.Time) (out []string) {
	leaf := id.chain.Leaf
	switch {
	case now.Before(leaf.NotBefore):
		out = append(out, fmt.Sprintf("the certificate in %s is not valid before %s (is the clock right?)", door.TLSCert, day(leaf.NotBefore)))
	case now.Before(leaf.NotAfter) && now.Add(soonExpired).After(leaf.NotAfter):
		out = append(out, fmt.Sprintf("the certificate in %s expires on %s (have it renewed; new files are noticed without a restart)", door.TLSCert, day(leaf.NotAfter)))
	}
	for _, authority := range id.authorities {
		if !usable(authority, now) {
			out = append(out, fmt.Sprintf("the authority %s in %s is valid from %s to %s only: no client certificate of it is accepted",
				authority.Subject, door.ClientCA, day(authority.NotBefore), day(authority.NotAfter)))
		}
	}
	return append(out, openToOthers(privateKeyKey, door.TLSKey)...)
}

func usable(certificate *x509.Certificate, now time.Time) bool {
	return !now.Before(certificate.NotBefore) && now.Before(certificate.NotAfter)
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// openToOthers warns of a secret that every user of this machine may read.
func openToOthers(setting, path string) []string {
	known, err := os.Stat(path)
	if err != nil || known.Mode().Perm()&0o007 == 0 {
		return nil
	}
	return []string{fmt.Sprintf("every user of this machine may open %s, which %s names (chmod o= %s)", path, setting, path)}
}
