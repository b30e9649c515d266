package bench

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"
)

// serveOnePerConnection answers one request of each connection with text and
// then leaves the connection to after.
func serveOnePerConnection(t *testing.T, text string, after func(net.Conn)) netip.AddrPort {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			request, err := http.ReadRequest(bufio.NewReader(socket))
			if err == nil {
				_, _ = io.Copy(io.Discard, request.Body)
				_, _ = io.WriteString(socket, text)
			}
			after(socket)
			socket.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-ended
	})
	return netip.MustParseAddrPort(listener.Addr().String())
}

func TestAConnectionThatBreaksIsAnErrorAndMadeAnew(t *testing.T) {
	text := "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi" // does not say that it closes
	work := jobFor(t, serveOnePerConnection(t, text, func(net.Conn) {}))
	work.Numbers = writeNumbers(t, "number", "1")
	work.Rows = 1
	if found := runClient(t, work); found.Errors != work.Requests/2 {
		t.Errorf("%d errors in %d requests, want every second: %s", found.Errors, work.Requests, found.FirstError)
	}
}

func TestAServerThatBreaksItsWordToCloseIsNotWaitedFor(t *testing.T) {
	text := "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"
	address := serveOnePerConnection(t, text, func(socket net.Conn) {
		_, _ = io.Copy(io.Discard, socket) // until the client closes
	})
	over := newConnection(address, true)
	deadline := time.Now().Add(requestDeadline)
	answer, err := over.exchange([]byte("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"), deadline)
	if err != nil {
		t.Fatal(err)
	}
	over.release(answer)
	if over.socket != nil || time.Now().After(deadline) {
		t.Errorf("still connected, or released too late")
	}
}
