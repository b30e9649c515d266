package test

import (
	"io"
	"net"
	"sync"
	"testing"
)

// relay stands between a client and a node, passes all bytes on, counts the
// connections and keeps what the client said and heard.
type relay struct {
	address  string
	to       string
	listener net.Listener
	running  sync.WaitGroup
	mu       sync.Mutex // guards what follows
	opened   int
	open     []net.Conn
	said     tail
	heard    tail
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

const tailLength = 4 << 10

func (t *tail) add(text []byte) {
	t.text = append(t.text, text...)
	if len(t.text) > 2*tailLength {
		t.text = append([]byte(nil), t.text[len(t.text)-tailLength:]...)
	}
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{address: listener.Addr().String(), to: to, listener: listener}
	r.running.Go(r.accept)
	t.Cleanup(r.close)
	return r
}

// accept pairs each connection with one to the node until the relay is closed.
func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		node, err := net.Dial("tcp", r.to)
		if err != nil {
			client.Close()
			continue
		}
		r.mu.Lock()
		r.opened++
		r.open = append(r.open, client, node)
		r.mu.Unlock()
		r.running.Go(func() { r.pass(node, client, &r.said) })
		r.running.Go(func() { r.pass(client, node, &r.heard) })
	}
}

// pass copies one direction and tells the other end when it is over.
func (r *relay) pass(to, from net.Conn, into *tail) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		r.mu.Lock()
		into.add(buffer[:n])
		r.mu.Unlock()
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			if half, ok := to.(*net.TCPConn); ok && err == io.EOF {
				_ = half.CloseWrite() // the other direction may go on
				return
			}
			to.Close()
			from.Close()
			return
		}
	}
}

// connections is how many were opened so far.
func (r *relay) connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.opened
}

// forget drops what was said and heard so far.
func (r *relay) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.said, r.heard = tail{}, tail{}
}

// last gives the end of what the client said and heard.
func (r *relay) last() (said, heard string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.said.text), string(r.heard.text)
}

func (r *relay) close() {
	r.listener.Close()
	r.mu.Lock()
	for _, connection := range r.open {
		connection.Close()
	}
	r.mu.Unlock()
	r.running.Wait()
}
