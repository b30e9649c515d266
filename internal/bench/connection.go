package bench

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"
)

// farewell is how long a server may take to close what it has announced to close.
const farewell = 100 * time.Millisecond

// connection is a client of one server with one request in flight. It is
// written by hand because it shares the machine with the server: what it burns,
// the server lacks.
type connection struct {
	address netip.AddrPort
	fresh   bool         // a new TCP connection per request
	socket  *net.TCPConn // nil while not connected
	reader  *bufio.Reader
	body    []byte
}

func newConnection(address netip.AddrPort, fresh bool) *connection {
	return &connection{address: address, fresh: fresh, reader: bufio.NewReaderSize(nil, maxHeaderLine)}
}

// exchange sends a request and reads the response, whose body is valid until
// the next call. It connects when it must; after an error the next call does.
// Connecting is part of what the deadline covers. After a response comes
// release.
func (c *connection) exchange(request []byte, deadline time.Time) (response, error) {
	answer, err := c.attempt(request, deadline)
	if err != nil {
		c.close()
	}
	return answer, err
}

// release closes the connection unless it is to be used again. A server that
// has announced to close goes first: whoever does keeps the port for a minute,
// and a server uses one port for all, while this side would run out of ports
// after 28,000 connections (tried: a tenth of the rate from there on).
func (c *connection) release(answer response) {
	if !answer.close && !c.fresh {
		return
	}
	if answer.close && c.socket.SetReadDeadline(time.Now().Add(farewell)) == nil {
		_, _ = c.reader.ReadByte() // returns at the server's close
	}
	c.close()
}

func (c *connection) attempt(request []byte, deadline time.Time) (response, error) {
	if c.socket == nil {
		if err := c.connect(deadline); err != nil {
			return response{}, err
		}
	}
	if err := c.socket.SetDeadline(deadline); err != nil {
		return response{}, err
	}
	if _, err := c.socket.Write(request); err != nil {
		return response{}, err
	}
	answer, err := readResponse(c.reader, c.body)
	if err != nil {
		return response{}, fmt.Errorf("read the response: %w", unexpected(err))
	}
	c.body = answer.body
	return answer, nil
}

func (c *connection) connect(deadline time.Time) error {
	// Keep-alive probes would cost four system calls per connection.
	dialer := net.Dialer{Deadline: deadline, KeepAlive: -1}
	socket, err := dialer.DialTCP(context.Background(), "tcp", netip.AddrPort{}, c.address)
	if err != nil {
		return fmt.Errorf("%w; does the server listen there?", err)
	}
	c.socket = socket
	c.reader.Reset(socket)
	return nil
}

func (c *connection) close() {
	if c.socket != nil {
		c.socket.Close()
		c.socket = nil
	}
}
