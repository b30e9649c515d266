package server

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"strings"

	"asterism/internal/config"
	"asterism/internal/failure"
)

// Keys of the config that name the files of TLS.
const (
	certificateKey = "asterisk.tls_cert"
	privateKeyKey  = "asterisk.tls_key"
	authorityKey   = "asterisk.client_ca"
)

// identity is what the files of TLS held at one moment.
type identity struct {
	chain       tls.Certificate
	authorities []*x509.Certificate // of clients
}

// readIdentity reads certificate, key and authorities, and says of each file what
// is wrong with it.
func readIdentity(door config.Asterisk) (identity, error) {
	var id identity
	certificate, errCertificate := readPEM(certificateKey, door.TLSCert, "CERTIFICATE")
	key, errKey := readPEM(privateKeyKey, door.TLSKey, "PRIVATE KEY")
	authorities, errAuthorities := readAuthorities(door.ClientCA)
	if err := joined(errCertificate, errKey, errAuthorities); err != nil {
		return id, err
	}
	chain, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return id, &failure.Error{
			Kind: failure.Invalid, Field: privateKeyKey, Message: "use the key " + door.TLSKey + " with the certificate " + door.TLSCert, Cause: errors.New(strings.TrimPrefix(err.Error(), "tls: ")),
			Hint: "the certificate must have been made for this key, and stand first in its file",
		}
	}
	return identity{chain, authorities}, nil
}

// readAuthorities reads the certificates of a file; no file has none.
func readAuthorities(path string) (out []*x509.Certificate, err error) {
	if path == "" {
		return nil, nil
	}
	text, err := readPEM(authorityKey, path, "CERTIFICATE")
	if err != nil {
		return nil, err
	}
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return out, nil
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, &failure.Error{
				Kind: failure.Invalid, Field: authorityKey, Message: "read the authorities in " + path, Cause: err,
				Hint: "write the authorities' certificates into it, one after the other, as PEM",
			}
		}
		out = append(out, certificate)
	}
}

// readPEM reads a file that must hold a block whose type ends as wanted.
func readPEM(setting, path, wanted string) ([]byte, error) {
	fault := &failure.Error{Kind: failure.Invalid, Field: setting, Message: "read " + path + ", which " + setting + " names"}
	text, err := os.ReadFile(path)
	if err != nil {
		var known *fs.PathError
		if errors.As(err, &known) {
			err = known.Err // the message names the file
		}
		fault.Cause, fault.Hint = err, "name a file that the user of asterism may read"
		return nil, fault
	}
	for rest := text; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		switch {
		case block.Type == "ENCRYPTED PRIVATE KEY", bytes.Contains([]byte(block.Headers["Proc-Type"]), []byte("ENCRYPTED")):
			fault.Cause, fault.Hint = errors.New("the key is encrypted"), "nobody is there to type its passphrase at a start; write it without: openssl pkey -in "+path+" -out FILE"
			return nil, fault
		case strings.HasSuffix(block.Type, wanted):
			return text, nil
		}
	}
	fault.Cause = errors.New("it holds no " + strings.ToLower(wanted) + " in PEM form")
	fault.Hint = "such a file has a line -----BEGIN " + wanted + "-----"
	return nil, fault
}

// joined is errors.Join, but flat, and for one error that error itself.
func joined(errs ...error) error {
	var failed []error
	for _, err := range errs {
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			failed = append(failed, several.Unwrap()...)
		} else if err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) == 1 {
		return failed[0]
	}
	return errors.Join(failed...)
}

// pool is the authorities in the form in which TLS takes them.
func (id identity) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	for _, authority := range id.authorities {
		pool.AddCert(authority)
	}
	return pool
}

// settings gives what a handshake needs. They are made anew for each reading, so
// that no session of before outlives the authority that vouched for it.
func (id identity) settings(mode tls.ClientAuthType) *tls.Config {
	settings := &tls.Config{Certificates: []tls.Certificate{id.chain}, MinVersion: tls.VersionTLS12, ClientAuth: mode}
	if mode != tls.NoClientCert {
		settings.ClientCAs = id.pool()
	}
	return settings
}

// clientMode says whether a client must show a certificate: without named clients
// the authorities are all that tells who may ask.
func clientMode(cfg config.Config) tls.ClientAuthType {
	switch {
	case cfg.Asterisk.ClientCA == "":
		return tls.NoClientCert
	case len(cfg.Clients) == 0:
		return tls.RequireAndVerifyClientCert
	}
	return tls.VerifyClientCertIfGiven
}
