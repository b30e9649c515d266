package trace

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"asterism/internal/directory"
	"asterism/internal/failure"
)

// Tracers are all who trace a node. A nil one is nobody.
type Tracers struct {
	directory *directory.Directory

	list  atomic.Pointer[[]*Tracer] // nil while nobody traces
	mu    sync.Mutex                // guards changes of list, and ended
	ended bool
}

// New makes tracers of what is asked of a directory.
func New(d *directory.Directory) *Tracers { return &Tracers{directory: d} }

// Wanted tells whether anybody traces: one atomic load.
func (t *Tracers) Wanted() bool { return t != nil && t.list.Load() != nil }

// Note hands an exchange to all who want to see it. It never waits.
func (t *Tracers) Note(e *Exchange) {
	list := t.list.Load()
	if list == nil {
		return
	}
	for _, tracer := range *list {
		tracer.note(e)
	}
}

// Open begins a trace; whoever does ends it with Close.
func (t *Tracers) Open(f Filter) (*Tracer, error) {
	s, err := f.compile(t.directory.View())
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return nil, &failure.Error{Kind: failure.Unavailable, Message: "trace: the node is about to end", Hint: "asterism status tells when one serves"}
	}
	var now []*Tracer
	if list := t.list.Load(); list != nil {
		now = slices.Clone(*list)
	}
	if len(now) >= MaxTracers {
		return nil, &failure.Error{Kind: failure.Full, Message: fmt.Sprintf("trace: %d traces run on this node already", MaxTracers), Hint: "end one of the running asterism trace commands"}
	}
	tracer := &Tracer{tracers: t, subject: s, lines: make(chan Line, MaxQueue), ended: make(chan struct{})}
	now = append(now, tracer)
	t.list.Store(&now)
	return tracer, nil
}

// End ends all traces and refuses new ones.
func (t *Tracers) End() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if list := t.list.Load(); list != nil {
		for _, tracer := range *list {
			close(tracer.ended)
		}
	}
	t.ended = true
	t.list.Store(nil)
}

// Tracer is one trace. One goroutine reads it.
type Tracer struct {
	tracers *Tracers
	subject subject
	lines   chan Line
	dropped atomic.Uint64 // since the last line that was queued
	ended   chan struct{} // by Tracers.End
}

// Close ends the trace.
func (t *Tracer) Close() {
	t.tracers.mu.Lock()
	defer t.tracers.mu.Unlock()
	list := t.tracers.list.Load()
	if list == nil {
		return
	}
	others := slices.DeleteFunc(slices.Clone(*list), func(other *Tracer) bool { return other == t })
	if len(others) == 0 {
		t.tracers.list.Store(nil)
		return
	}
	t.tracers.list.Store(&others)
}

// Ended is closed when the node ends the trace.
func (t *Tracer) Ended() <-chan struct{} { return t.ended }

// note queues a line when the exchange is to be seen. With a full queue no line
// is made, so that a slow reader costs answers no more than the look.
func (t *Tracer) note(e *Exchange) {
	if !t.subject.about(e) {
		return
	}
	if len(t.lines) == cap(t.lines) {
		t.dropped.Add(1)
		return
	}
	line := t.subject.line(e)
	line.Dropped = t.dropped.Swap(0)
	select {
	case t.lines <- line:
	default:
		t.dropped.Add(line.Dropped + 1)
	}
}

// Ready gives the next line if there is one now.
func (t *Tracer) Ready() (Line, bool) {
	select {
	case line := <-t.lines:
		return line, true
	default:
	}
	if dropped := t.dropped.Swap(0); dropped > 0 {
		return Line{Dropped: dropped}, true
	}
	return Line{}, false
}

// Next waits for the next line. It gives io.EOF when the node ended the trace
// and all lines are read.
func (t *Tracer) Next(ctx context.Context) (Line, error) {
	if line, ok := t.Ready(); ok {
		return line, nil
	}
	select {
	case line := <-t.lines:
		return line, nil
	case <-ctx.Done():
		return Line{}, ctx.Err()
	case <-t.ended:
	}
	if line, ok := t.Ready(); ok {
		return line, nil
	}
	return Line{}, io.EOF
}
