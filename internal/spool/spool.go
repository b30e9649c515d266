package spool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/store"
)

// Limits of the spool.
const (
	sharedCommit  = 256                   // requests that one commit of the journal carries
	flushedAtOnce = 500                   // writes that one SQL transaction carries
	flushEvery    = 20 * time.Millisecond // while the database answers
	waitingWrites = 4096                  // requests that may wait for the journal
)

// Reader reads rows again from SQL and publishes them (package feed).
type Reader interface {
	// Reread publishes what SQL says of the keys (texts as SQL holds them).
	Reread(ctx context.Context, name string, keys [][]string) error
}

// Options are what a spool works with.
type Options struct {
	Journal   *store.Journal
	Store     *store.Store
	Directory *directory.Directory
	Reader    Reader
	Log       *slog.Logger
	Now       func() time.Time
}

// Spool is a node's spool. Recover comes first, then Run beside Write.
type Spool struct {
	Options
	requests chan *request
	flushNow chan struct{}
	sweeper  sweeper

	mu        sync.Mutex // guards the fields below
	last      int64
	pending   []directory.Write // not yet in SQL, in order
	undurable int               // of pending, not in the journal

	refused atomic.Int64
	down    atomic.Bool
}

type request struct {
	writes []directory.Write
	done   chan error
}

// New makes a spool.
func New(options Options) *Spool {
	return &Spool{
		Options: options, requests: make(chan *request, waitingWrites), flushNow: make(chan struct{}, 1),
		sweeper: sweeper{seen: make(map[string]time.Time), swept: make(map[string]time.Time)},
	}
}

// Recover lays what the journal holds and SQL does not over the directory.
func (s *Spool) Recover(ctx context.Context) error {
	flushed, err := s.Store.Flushed(ctx, s.Journal.Life())
	if err != nil {
		return fmt.Errorf("recover the spool: %w", err)
	}
	pending, err := s.Journal.Entries(ctx, flushed)
	if err != nil {
		return fmt.Errorf("recover the spool: %w", err)
	}
	refused, err := s.Journal.Refused(ctx)
	if err != nil {
		return fmt.Errorf("recover the spool: %w", err)
	}
	last, err := s.Journal.Last(ctx)
	if err != nil {
		return fmt.Errorf("recover the spool: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(last, flushed)
	s.pending = pending
	s.refused.Store(int64(len(refused)))
	s.Directory.Lay(s.known(refused))
	s.Directory.Lay(s.known(pending))
	if len(pending) > 0 {
		s.Log.Info("recovered writes that were not yet in SQL", "writes", len(pending))
	}
	return nil
}

// known leaves out writes to families that are gone from the store since.
func (s *Spool) known(writes []directory.Write) []directory.Write {
	view := s.Directory.View()
	out := writes[:0:0]
	for _, w := range writes {
		if view.Table([]byte(w.Family)) != nil {
			out = append(out, w)
		}
	}
	return out
}

// Write makes writes durable and visible to readers of this node, in order. It
// answers after both; with an error nothing of it happened.
func (s *Spool) Write(ctx context.Context, writes ...directory.Write) error {
	r := &request{writes: writes, done: make(chan error, 1)}
	select {
	case s.requests <- r:
	case <-ctx.Done():
		return &failure.Error{Kind: failure.Unavailable, Message: "spool a write", Cause: ctx.Err()}
	}
	// Once handed over it may become durable at any moment: wait for the end.
	return <-r.done
}

// Run commits, flushes and sweeps until the context ends; then what is pending
// stays in the journal.
func (s *Spool) Run(ctx context.Context) {
	var tasks sync.WaitGroup
	tasks.Go(func() { s.commitLoop(ctx) })
	tasks.Go(func() { s.flushLoop(ctx) })
	tasks.Go(func() { s.sweepLoop(ctx) })
	tasks.Wait()
}

func (s *Spool) commitLoop(ctx context.Context) {
	for {
		select {
		case r := <-s.requests:
			s.commit(s.gather(r))
		case <-ctx.Done():
			s.refuseWaiting()
			return
		}
	}
}

// refuseWaiting answers what still waits after the end.
func (s *Spool) refuseWaiting() {
	for {
		select {
		case r := <-s.requests:
			r.done <- &failure.Error{Kind: failure.Unavailable, Message: "spool a write", Cause: errors.New("the server is stopping")}
		default:
			return
		}
	}
}

// gather takes the requests that wait together with the first.
func (s *Spool) gather(first *request) []*request {
	batch := []*request{first}
	for len(batch) < sharedCommit {
		select {
		case r := <-s.requests:
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// commit makes a batch durable, publishes it and answers. A full or broken disk
// does not stop registrations: they are kept in memory, counted, and flushed.
func (s *Spool) commit(batch []*request) {
	var writes []directory.Write
	s.mu.Lock()
	for _, r := range batch {
		for i := range r.writes {
			s.last++
			r.writes[i].ID = s.last
			r.writes[i].At = s.Now().UnixMilli()
		}
		writes = append(writes, r.writes...)
	}
	s.mu.Unlock()
	s.mu.Lock()
	durable := writes
	if s.undurable > 0 { // there may be room again: bring what is only in memory too
		durable = append(slices.Clone(s.pending), writes...)
	}
	s.mu.Unlock()
	err := s.Journal.Append(context.Background(), durable)
	if err != nil {
		s.Log.Error("the spool can't be written: registrations are kept in memory only", "error", err, "hint", "free space on the disk of node.state")
	}
	s.Directory.Lay(writes)
	s.mu.Lock()
	s.pending = append(s.pending, writes...)
	s.undurable += len(writes)
	if err == nil {
		s.undurable = 0
	}
	s.mu.Unlock()
	for _, r := range batch {
		r.done <- nil
	}
	select {
	case s.flushNow <- struct{}{}:
	default:
	}
}

// State is what status and metrics show of the spool.
type State struct {
	Entries   int  // acknowledged, not yet in SQL
	Undurable int  // of these, in memory only
	Refused   int  // set aside: SQL refuses them
	Down      bool // SQL can't be written
}

// State gives the present state.
func (s *Spool) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return State{Entries: len(s.pending), Undurable: s.undurable, Refused: int(s.refused.Load()), Down: s.down.Load()}
}
