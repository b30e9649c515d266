package lab

import (
	"bytes"
	"sync"
)

// Log collects what a goroutine writes and a test reads.
type Log struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

// Write adds text.
func (l *Log) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

// String gives what was collected so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
