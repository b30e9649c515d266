package server

import (
	"crypto/tls"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"

	"asterism/internal/access"
	"asterism/internal/config"
	"asterism/internal/http1"
)

// admission is who may ask on the Asterisk-facing listener beyond its networks,
// and by which certificates. The zero value is everybody, without TLS.
type admission struct {
	config       config.Config
	clients      atomic.Pointer[access.Clients] // nil: everybody
	certificates *certificates                  // nil: no TLS
}

// openAdmission reads the files that a config names.
func openAdmission(cfg config.Config, log *slog.Logger) (*admission, error) {
	a := &admission{config: cfg}
	errClients := a.readClients()
	var errFiles error
	if cfg.Asterisk.TLSCert != "" {
		a.certificates, errFiles = openCertificates(cfg, log)
	}
	if err := joined(errClients, errFiles); err != nil {
		return nil, err
	}
	for _, warning := range passwordWarnings(cfg) {
		log.Warn(warning)
	}
	return a, nil
}

// reload reads the files again; those that can't be used stay as they were.
func (a *admission) reload() error {
	var errFiles error
	if a.certificates != nil {
		errFiles = a.certificates.reload()
	}
	return joined(a.readClients(), errFiles)
}

func (a *admission) readClients() error {
	clients, err := readClients(a.config)
	if err == nil {
		a.clients.Store(clients)
	}
	return err
}

// Why a caller is refused.
var (
	outsideAllow       = &http1.Refusal{Status: http.StatusForbidden, Reason: "client not allowed"}
	clientUnrecognised = &http1.Refusal{Status: http.StatusForbidden, Reason: "client not recognised"}
	noCredentials      = &http1.Refusal{Status: http.StatusUnauthorized, Reason: "no credentials"}
	wrongCredentials   = &http1.Refusal{Status: http.StatusUnauthorized, Reason: "wrong credentials"}
)

// challenge names the way to log in.
const challenge = `Basic realm="asterism"`

// turnedAway says why a caller may not ask; nil: it may.
func (l *asteriskListener) turnedAway(r *http1.Request) *http1.Refusal {
	if !l.allowed(r.Remote.Addr()) {
		return outsideAllow
	}
	clients := l.admission.clients.Load()
	if clients == nil {
		return nil
	}
	var buffer access.Buffer
	user, password := access.Basic(r.Authorization, &buffer)
	_, refusal := clients.Identify(access.Caller{Peer: r.Remote.Addr(), User: user, Password: password, Certificate: subjectOf(r.TLS)})
	switch refusal {
	case access.Welcome:
		return nil
	case access.Unrecognised:
		return clientUnrecognised
	case access.PasswordLess:
		return noCredentials
	}
	return wrongCredentials
}

// allowed tells whether an address is in the listener's networks: everybody who
// reaches us when none are named, and this machine always.
func (l *asteriskListener) allowed(peer netip.Addr) bool {
	return len(l.allow) == 0 || peer.IsLoopback() || access.Networks(l.allow).Contain(peer)
}

// subjectOf is the subject of the certificate that a client showed. One whose
// spelling can't be read is nobody's.
func subjectOf(state *tls.ConnectionState) access.Subject {
	if state == nil || len(state.VerifiedChains) == 0 {
		return ""
	}
	subject, err := access.ParseSubject(state.VerifiedChains[0][0].Subject.String())
	if err != nil {
		return ""
	}
	return subject
}
