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
	commitEvery   = 2 * time.Millisecond  // at most: a commit costs the same for one write and for ten
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
	ended    chan struct{} // closed when nobody takes requests any more
	sweeper  sweeper

	mu        sync.Mutex // guards the fields below
	last      int64
	pending   []directory.Write // not yet in SQL, in order
	undurable int               // the last ones of pending, not in the journal

	flushing chan struct{}                  // full from the choice of a batch to its end; guards the fields below
	aside    map[string]directory.Write     // what SQL refuses, by bucket
	unread   map[string]map[string][]string // flushed and not read back yet: family, bucket, key
	flushed  int64                          // up to here SQL has all

	refused atomic.Int64 // length of aside
	down    atomic.Bool
}

type request struct {
	writes []directory.Write
	done   chan error
}

// New makes a spool.
func New(options Options) *Spool {
	return &Spool{
		Options: options, requests: make(chan *request, waitingWrites), ended: make(chan struct{}), flushing: make(chan struct{}, 1),
		aside: make(map[string]directory.Write), unread: make(map[string]map[string][]string),
		sweeper: sweeper{seen: make(map[string]time.Time), gone: make(map[string]time.Time)},
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
	for _, w := range refused {
		s.aside[bucketOf(w)] = w
	}
	s.refused.Store(int64(len(s.aside)))
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
	select {
	case err := <-r.done:
		return err
	case <-s.ended:
	}
	select {
	case err := <-r.done: // answered just before the end
		return err
	default:
		return errStopping()
	}
}

func errStopping() error {
	return &failure.Error{Kind: failure.Unavailable, Message: "spool a write", Cause: errors.New("the server is stopping")}
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
	defer close(s.ended) // what still waits gets its answer by that
	var last time.Time
	for {
		select {
		case r := <-s.requests:
			if rest := commitEvery - time.Since(last); rest > 0 {
				<-time.After(rest) // for company
			}
			last = time.Now()
			s.commit(s.gather(r))
		case <-ctx.Done():
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
	writes, lost := s.number(batch)
	// There may be room again: bring what is only in memory too.
	err := s.Journal.Append(context.Background(), slices.Concat(lost, writes))
	switch {
	case err != nil && len(lost) == 0:
		s.Log.Error("the spool can't be written: registrations are kept in memory only", "error", err, "hint", "free space on the disk of node.state")
	case err == nil && len(lost) > 0:
		s.Log.Info("the spool can be written again")
	}
	s.remember(writes)
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
}

// number gives the writes of a batch their places in the spool. It also gives
// those that wait in memory only.
func (s *Spool) number(batch []*request) (writes, lost []directory.Write) {
	now := s.Now().UnixMilli()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range batch {
		for _, w := range r.writes {
			s.last++
			w.ID, w.At = s.last, now
			writes = append(writes, w)
		}
	}
	return writes, slices.Clone(s.pending[len(s.pending)-s.undurable:])
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
