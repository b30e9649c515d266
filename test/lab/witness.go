package lab

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Witness stands between Asterisks and a node, passes each request on as it is, and
// remembers what was asked and what was answered.
type Witness struct {
	Address  string
	to       string
	listener net.Listener
	running  sync.WaitGroup
	mu       sync.Mutex // guards what follows
	open     map[net.Conn]bool
	seen     []Exchange
	holds    string        // requests with this in their body wait,
	answered bool          // or their answers do
	held     int           // how many wait
	released chan struct{} // closed when nothing is held any more
}

// Exchange is one request and what became of it.
type Exchange struct {
	Path, Body string // as on the wire
	Answer     string
	Answered   bool // false: one of both sides ended the connection first
	Asked      time.Time
}

// NewWitness starts one before the Asterisk-facing address of a node, which may
// come and go.
func NewWitness(t T, to string) *Witness {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("%v", err)
	}
	w := &Witness{Address: listener.Addr().String(), to: to, listener: listener, open: map[net.Conn]bool{}}
	w.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			w.running.Go(func() { w.pass(client) })
		}
	})
	t.Cleanup(w.close)
	return w
}

func (w *Witness) close() {
	w.Release()
	w.listener.Close()
	w.mu.Lock()
	for connection := range w.open {
		connection.Close()
	}
	w.mu.Unlock()
	w.running.Wait()
}

// Hold keeps the requests with a word in their body from the node until Release.
func (w *Witness) Hold(word string) { w.hold(word, false) }

// HoldAnswers keeps the answers to such requests from who asked until Release.
func (w *Witness) HoldAnswers(word string) { w.hold(word, true) }

func (w *Witness) hold(word string, answered bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holds, w.answered, w.released = word, answered, make(chan struct{})
}

// Release passes on what was held.
func (w *Witness) Release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.holds != "" {
		w.holds = ""
		close(w.released)
	}
}

// wait returns when a request, or its answer, is not held, or no longer.
func (w *Witness) wait(body string, answered bool) {
	w.mu.Lock()
	held, released := w.holds != "" && w.answered == answered && strings.Contains(body, w.holds), w.released
	w.mu.Unlock()
	if held {
		w.count(1)
		<-released
		w.count(-1)
	}
}

func (w *Witness) count(more int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held += more
}

// Held is how many requests, or answers, are held; what the node had before Hold may still be answered
// until then.
func (w *Witness) Held() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held
}

// pass serves one connection of an Asterisk with one to the node.
func (w *Witness) pass(client net.Conn) {
	defer client.Close()
	node, err := net.Dial("tcp", w.to)
	if err != nil {
		return // as the node itself would refuse it
	}
	defer node.Close()
	w.note(client, node)
	defer w.forget(client, node)
	requests := make(chan asking)
	w.running.Go(func() {
		defer close(requests)
		defer node.Close() // when the client goes, so does what it waits for
		for asked := bufio.NewReader(client); ; {
			request, err := http.ReadRequest(asked)
			if err != nil {
				return
			}
			body, err := io.ReadAll(request.Body)
			if err != nil {
				return
			}
			request.URL = &url.URL{Opaque: request.RequestURI} // nothing is spelt anew
			request.Body = io.NopCloser(bytes.NewReader(body))
			requests <- asking{request, string(body)}
		}
	})
	heard := make(chan struct{}) // an answer begins, or the node ends the connection
	answers := bufio.NewReader(node)
	listen := func() {
		w.running.Go(func() {
			if _, err := answers.Peek(1); err != nil {
				client.Close() // at once, so that it asks on another connection
			}
			heard <- struct{}{}
		})
	}
	listen()
	for request := range requests {
		w.wait(request.body, false)
		exchange := Exchange{Path: request.RequestURI, Body: request.body, Asked: time.Now()}
		if request.Write(node) == nil {
			<-heard
			exchange.Answer, exchange.Answered = w.answer(request, client, answers)
			listen()
		}
		w.mu.Lock()
		w.seen = append(w.seen, exchange)
		w.mu.Unlock()
		if !exchange.Answered {
			client.Close() // the reader ends with it
			node.Close()
		}
	}
	<-heard
}

// asking is a request whose body was read, and stands in it again.
type asking struct {
	*http.Request
	body string
}

// answer passes the node's answer back.
func (w *Witness) answer(request asking, client net.Conn, answers *bufio.Reader) (text string, ok bool) {
	response, err := http.ReadResponse(answers, request.Request)
	if err != nil {
		return "", false
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", false
	}
	w.wait(request.body, true)
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return string(body), response.Write(client) == nil
}

func (w *Witness) note(connections ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, connection := range connections {
		w.open[connection] = true
	}
}

func (w *Witness) forget(connections ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, connection := range connections {
		delete(w.open, connection)
	}
}

// Seen is what was asked so far, in the order of the answers.
func (w *Witness) Seen() []Exchange {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Exchange(nil), w.seen...)
}
