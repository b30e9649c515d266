package test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
)

// wire is one kept connection on the curl wire. net/http would take more CPU
// than the node, and both share the machine.
type wire struct {
	net.Conn
	at      string
	reader  *bufio.Reader
	request []byte
	body    []byte
	ended   bool // the node has said that it closes
}

func openWire(t *testing.T, at string) *wire {
	t.Helper()
	w := &wire{at: at}
	if err := w.open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return w
}

func (w *wire) open() error {
	conn, err := net.Dial("tcp", w.at)
	if err == nil {
		w.Conn, w.reader, w.ended = conn, bufio.NewReader(conn), false
	}
	return err
}

// openWires opens n connections.
func openWires(t *testing.T, at string, n int) []*wire {
	t.Helper()
	wires := make([]*wire, n)
	for i := range wires {
		wires[i] = openWire(t, at)
	}
	return wires
}

// patience is how long an answer may take before a test gives up on it.
const patience = 30 * time.Second

// ask posts a form and gives the answer, valid until the next call.
func (w *wire) ask(path, body string) ([]byte, error) {
	if w.ended {
		if err := errors.Join(w.Close(), w.open()); err != nil {
			return nil, err
		}
	}
	w.request = fmt.Appendf(w.request[:0], "POST %s HTTP/1.1\r\nHost: asterism\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	if err := w.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if _, err := w.Write(w.request); err != nil {
		return nil, err
	}
	answer, err := w.read()
	if err != nil {
		err = fmt.Errorf("the answer to %s %s: %w", path, body, err)
	}
	return answer, err
}

// read reads one answer.
func (w *wire) read() ([]byte, error) {
	status, err := w.reader.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) {
		return nil, fmt.Errorf("status %q", status)
	}
	length := -1
	for {
		line, err := w.reader.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			break
		}
		name, value, _ := strings.Cut(string(line), ":")
		switch value = strings.TrimSpace(value); strings.ToLower(name) {
		case "content-length":
			if length, err = strconv.Atoi(value); err != nil {
				return nil, err
			}
		case "connection":
			w.ended = value == "close"
		}
	}
	if length < 0 {
		return nil, errors.New("no length")
	}
	w.body = append(w.body[:0], make([]byte, length)...)
	_, err = io.ReadFull(w.reader, w.body)
	return w.body, err
}
