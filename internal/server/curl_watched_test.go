package server

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// logbook collects a node's log.
type logbook struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// lines gives the lines that hold all the words.
func (l *logbook) lines(words ...string) (out []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		all := true
		for _, word := range words {
			all = all && strings.Contains(line, word)
		}
		if all {
			out = append(out, line)
		}
	}
	return out
}

// seededLogging is seeded with the node's log at hand.
func seededLogging(t testing.TB, statements ...string) (*serving, *outsider, *logbook) {
	t.Helper()
	cfg := testConfig(t)
	o := outside(t, cfg)
	for _, statement := range statements {
		o.exec(statement)
	}
	log := &logbook{}
	return startLogging(t, cfg, io.MultiWriter(log, t.Output())), o, log
}

// metric reads a metric with its labels as /metrics spells them; 0 when it is
// not there.
func (s *serving) metric(t testing.TB, name string) float64 {
	t.Helper()
	for line := range strings.Lines(s.people(t, "/metrics")) {
		if rest, found := strings.CutPrefix(line, name+" "); found {
			value, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	return 0
}

// people gives a page of the people-facing door.
func (s *serving) people(t testing.TB, path string) string {
	t.Helper()
	response, err := http.Get("http://" + s.People + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
