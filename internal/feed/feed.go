package feed

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"asterism/internal/directory"
	"asterism/internal/store"
)

// Limits and rhythm of the follower.
const (
	pollEvery    = 20 * time.Millisecond
	lookEvery    = 10 * time.Second // at the schema and the database file
	scrubEvery   = time.Hour
	bulkKeys     = 20_000 // pending keys from which a family is read as a whole
	keysAtOnce   = 500    // keys read and published under one hold of the lock
	bucketsAtOne = 20     // buckets published at once: contact writes go between
	logAtOnce    = 10_000 // entries of the log read at once
)

// Feed follows one store into one directory.
type Feed struct {
	store     *store.Store
	directory *directory.Directory
	log       *slog.Logger
	bulk      int64 // bulkKeys

	following sync.Mutex // held by whoever catches up with the log: positions only grow
	reading   sync.Mutex // held from the read of rows to their publication; guards read

	read map[bucket]int64 // buckets that were read, and up to which entry

	applied  atomic.Int64 // newest entry whose rows are published
	lag      atomic.Int64 // nanoseconds from the newest published entry's commit to its publication
	down     atomic.Bool
	mended   atomic.Uint64
	schema   atomic.Int64 // version of the schema that memory shows
	lookNow  atomic.Bool  // a table is not what it was: don't wait for the next look
	replaced error        // why the file that took the store's place is not served yet; Run's own
	waiters  sync.Mutex   // guards progress
	progress chan struct{}
}

// bucket names the rows of one key as the change log does.
type bucket struct{ family, key string }

// New makes a follower.
func New(s *store.Store, d *directory.Directory, log *slog.Logger) *Feed {
	return &Feed{store: s, directory: d, log: log, bulk: bulkKeys, read: make(map[bucket]int64), progress: make(chan struct{})}
}

// State is what status and metrics show of the follower.
type State struct {
	Applied int64
	Lag     time.Duration
	Up      bool
	Mended  uint64 // rows that a scrub found different
}

// State gives the present state.
func (f *Feed) State() State {
	return State{f.applied.Load(), time.Duration(f.lag.Load()), !f.down.Load(), f.mended.Load()}
}

// advance notes a position as applied and wakes who waits for it.
func (f *Feed) advance(position int64) {
	f.waiters.Lock()
	defer f.waiters.Unlock()
	f.applied.Store(position)
	close(f.progress)
	f.progress = make(chan struct{})
}

// Wait returns once the entry is published, or with the context's error.
func (f *Feed) Wait(ctx context.Context, position int64) error {
	for {
		f.waiters.Lock()
		progress, applied := f.progress, f.applied.Load()
		f.waiters.Unlock()
		if applied >= position {
			return nil
		}
		select {
		case <-progress:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
