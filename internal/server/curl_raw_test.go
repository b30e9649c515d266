package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// patience bounds everything that a test waits for. SQLite's own patience with a
// lock, which some wait for, stretches on a busy machine.
const patience = time.Minute

// answer is one answer as it came over the wire.
type answer struct {
	status int
	header http.Header
	length int64 // Content-Length; -1 without one
	body   string
	last   bool // the connection ends with it
}

// asAsterisk is a request byte for byte as stock Asterisk sends it.
func asAsterisk(target, body string) string {
	return "POST " + target + " HTTP/1.1\r\n" +
		"Host: dir.example.net:8640\r\n" +
		"User-Agent: asterisk-libcurl-agent/1.0\r\n" +
		"Accept: */*\r\n" +
		"Content-Type: application/x-www-form-urlencoded\r\n" +
		fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body
}

// asked is a GET as the dialplan function CURL() sends it.
func asked(target string) string {
	return "GET " + target + " HTTP/1.1\r\nHost: dir.example.net:8640\r\nUser-Agent: asterisk-libcurl-agent/1.0\r\nAccept: */*\r\n\r\n"
}

// raw sends bytes over a connection of their own and gives the answer.
func (s *serving) raw(t testing.TB, request string) answer {
	t.Helper()
	connection := s.connect(t)
	send(t, connection, request)
	return receiveAnswer(t, connection)
}

// connect opens a connection that the test's end closes.
func (s *serving) connect(t testing.TB) *net.TCPConn {
	t.Helper()
	connection, err := net.Dial("tcp", s.Asterisk)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return connection.(*net.TCPConn)
}

func send(t testing.TB, connection net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(connection, text); err != nil {
		t.Fatal(err)
	}
}

func receiveAnswer(t testing.TB, connection net.Conn) answer {
	t.Helper()
	reader := bufio.NewReader(connection)
	response, err := http.ReadResponse(reader, nil)
	if err == nil && response.StatusCode == http.StatusContinue {
		response, err = http.ReadResponse(reader, nil)
	}
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("half an answer: %v", err)
	}
	return answer{response.StatusCode, response.Header, response.ContentLength, string(body), response.Close}
}

// ask gives the body of the answer to a POST as Asterisk sends it.
func (s *serving) ask(t testing.TB, target, body string) string {
	t.Helper()
	return s.raw(t, asAsterisk(target, body)).body
}

// get gives status and body of a GET.
func (s *serving) get(t testing.TB, target string) (int, string) {
	t.Helper()
	a := s.raw(t, asked(target))
	return a.status, a.body
}

// idsOf gives the values of a column over all lines of an answer to multi.
func idsOf(answer, column string) string {
	var out []string
	for line := range strings.Lines(answer) {
		for pair := range strings.SplitSeq(strings.TrimSuffix(line, "\n"), "&") {
			if value, found := strings.CutPrefix(pair, column+"="); found {
				out = append(out, value)
			}
		}
	}
	return strings.Join(out, " ")
}
