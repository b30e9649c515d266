package server

import (
	"crypto/tls"
	"net"

	"github.com/valyala/fasthttp"
)

// accepting is a listening socket in the form in which its connections are
// served. The socket itself stays as it is: systemd and the next process know
// nothing of TLS.
func (l *asteriskListener) accepting(socket net.Listener) net.Listener {
	if l.admission.certificates == nil {
		return connections{socket, &l.gate}
	}
	settings := l.admission.certificates.settings()
	return securedConnections{connections{tls.NewListener(socket, settings), &l.gate}, l.unsecured}
}

// securedConnections are connections with TLS.
type securedConnections struct {
	connections
	refused func(reason string, err error)
}

// Accept implements net.Listener.
func (l securedConnections) Accept() (net.Conn, error) {
	accepted, err := l.connections.Accept()
	if err != nil {
		return nil, err
	}
	below, ok := accepted.(*connection)
	if !ok {
		panic("a connection of another kind")
	}
	layer, ok := below.Conn.(*tls.Conn)
	if !ok {
		panic("a connection without TLS")
	}
	return &secured{connection: below, layer: layer, refused: l.refused}, nil
}

// unsecured counts a connection that did not come to agree on TLS.
func (l *asteriskListener) unsecured(reason string, err error) {
	l.realtime.Rejected.With(reason).Add(1)
	l.log.Debug("a connection did not agree on TLS", "reason", reason, "error", err)
}

// connectionOf is the connection of a request, with TLS or without; nil for none
// of ours.
func connectionOf(c *fasthttp.RequestCtx) *connection {
	switch of := c.Conn().(type) {
	case *connection:
		return of
	case *secured:
		return of.connection
	}
	return nil
}
