package asterisk

import (
	"fmt"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"

	"asterism/test/lab"
)

// watcher is a phone that only listens: it answers every request with 200, and keeps
// what it hears for the test to see while it goes on. SIPp would have to be told in
// which order the notices come.
type watcher struct {
	Name   string
	Port   int
	socket *net.UDPConn
	ended  sync.WaitGroup
	mu     sync.Mutex // guards heard
	heard  []string
	sent   int    // requests so far: the CSeq
	tag    string // of the other side, once it has answered
}

func newWatcher(t *testing.T, name string) *watcher {
	t.Helper()
	port := lab.FreePort(t)
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		t.Fatal(err)
	}
	w := &watcher{Name: name, Port: port, socket: socket}
	w.ended.Go(w.listen)
	t.Cleanup(func() {
		socket.Close()
		w.ended.Wait()
	})
	return w
}

// repeated are the header lines of a request that stand in its answer as they are.
var repeated = regexp.MustCompile(`(?mi)^(Via|From|To|Call-ID|CSeq):.*\r\n`)

func (w *watcher) listen() {
	packet := make([]byte, 65536)
	for {
		n, from, err := w.socket.ReadFromUDP(packet)
		if err != nil {
			return
		}
		message := string(packet[:n])
		w.mu.Lock()
		w.heard = append(w.heard, message)
		w.mu.Unlock()
		if !strings.HasPrefix(message, "SIP/2.0") {
			answer := "SIP/2.0 200 OK\r\n" + strings.Join(repeated.FindAllString(message, -1), "") + "Content-Length: 0\r\n\r\n"
			_, _ = w.socket.WriteToUDP([]byte(answer), from) // a lost one is asked for again
		}
	}
}

// since gives what it has heard after the first so many messages, and how many it is.
func (w *watcher) since(first int) (messages []string, count int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.heard[first:]...), len(w.heard)
}

// hears waits for a message, after the first so many, that matches, and gives it and
// the number of messages up to now.
func (w *watcher) hears(t *testing.T, after int, pattern string) (message string, count int) {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	var all []string
	t.Cleanup(func() {
		if message == "" {
			t.Logf("heard after %d: %s", after, strings.Join(all, "\n"))
		}
	})
	lab.Eventually(t, soon, "the phone hears "+pattern, func() bool {
		all, count = w.since(after)
		for _, text := range all {
			if wanted.MatchString(text) {
				message = text
				return true
			}
		}
		return false
	})
	return message, count
}

// topic is what a phone may watch: a name at the exchange, and the header lines that
// say which of its events, and in which form.
type topic struct {
	name  string
	lines []string
}

// subscribe asks for the notices of a topic for so many seconds, within the dialog if
// there is one already, and gives the answer and how many messages came before it.
func (w *watcher) subscribe(t *testing.T, a *lab.Asterisk, of topic, seconds int) (answer string, before int) {
	t.Helper()
	w.sent++
	lines := append([]string{
		fmt.Sprintf("SUBSCRIBE sip:%s@127.0.0.1:%d SIP/2.0", of.name, a.SIP),
		fmt.Sprintf("Via: SIP/2.0/UDP 127.0.0.1:%d;branch=z9hG4bK-%d-%d", w.Port, w.Port, w.sent), "Max-Forwards: 70",
		fmt.Sprintf("From: <sip:%s@127.0.0.1>;tag=%d", w.Name, w.Port), fmt.Sprintf("To: <sip:%s@127.0.0.1>%s", of.name, w.tag), fmt.Sprintf("Call-ID: watcher-%d", w.Port),
		fmt.Sprintf("CSeq: %d SUBSCRIBE", w.sent), fmt.Sprintf("Contact: <sip:%s@127.0.0.1:%d>", w.Name, w.Port), fmt.Sprintf("Expires: %d", seconds),
	}, of.lines...)
	_, before = w.since(0)
	packet := strings.Join(append(lines, "Content-Length: 0", "", ""), "\r\n")
	if _, err := w.socket.WriteToUDP([]byte(packet), &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: a.SIP}); err != nil {
		t.Fatal(err)
	}
	answer, _ = w.hears(t, before, fmt.Sprintf(`^SIP/2\.0 [2-6][^\x00]*\r\nCSeq: %d SUBSCRIBE`, w.sent))
	if found := regexp.MustCompile(`\r\nTo: .*(;tag=\S+)\r\n`).FindStringSubmatch(answer); found != nil {
		w.tag = found[1]
	}
	return answer, before
}
