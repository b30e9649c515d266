package server

import (
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/valyala/fasthttp"

	"asterism/internal/access"
	"asterism/internal/config"
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

// Reasons for which a caller is refused.
const (
	outsideAllow       = "client not allowed"
	noCredentials      = "no credentials"
	wrongCredentials   = "wrong credentials"
	clientUnrecognised = "client not recognised"
)

// challenge names the way to log in.
const challenge = `Basic realm="asterism"`

// turnedAway says why a caller may not ask; no reason: it may.
func (l *asteriskListener) turnedAway(c *fasthttp.RequestCtx) (status int, reason string) {
	if !l.allowed(c.RemoteAddr()) {
		return http.StatusForbidden, outsideAllow
	}
	clients := l.admission.clients.Load()
	if clients == nil {
		return 0, ""
	}
	var buffer access.Buffer
	user, password := access.Basic(c.Request.Header.Peek(fasthttp.HeaderAuthorization), &buffer)
	_, refusal := clients.Identify(access.Caller{Peer: access.Peer(c.RemoteAddr()), User: user, Password: password, Certificate: certified(c)})
	switch refusal {
	case access.Welcome:
		return 0, ""
	case access.Unrecognised:
		return http.StatusForbidden, clientUnrecognised
	}
	c.Response.Header.Set(fasthttp.HeaderWWWAuthenticate, challenge)
	if refusal == access.PasswordLess {
		return http.StatusUnauthorized, noCredentials
	}
	return http.StatusUnauthorized, wrongCredentials
}

// allowed tells whether an address is in the listener's networks: everybody who
// reaches us when none are named, and this machine always.
func (l *asteriskListener) allowed(address net.Addr) bool {
	if len(l.allow) == 0 {
		return true
	}
	peer := access.Peer(address)
	return peer.IsLoopback() || access.Networks(l.allow).Contain(peer)
}

// certified is the subject of the certificate that a caller showed.
func certified(c *fasthttp.RequestCtx) access.Subject {
	if of, ok := c.Conn().(*secured); ok {
		return of.subject
	}
	return ""
}
