package spool

import (
	"context"
	"strings"
	"sync"
	"time"

	"asterism/internal/directory"
)

const (
	// keptExpired is how long an expired contact stays findable by Asterisk's
	// own expiry, which asks every 30 s by default.
	keptExpired = 2 * time.Minute
	sweepEvery  = time.Second
	// keptGone is how long a destroy of a contact that expired and is deleted
	// is still answered 1.
	keptGone = 10 * time.Minute
	maxGone  = 200_000
)

// sweeper remembers expired contacts.
type sweeper struct {
	seen map[string]time.Time // first seen expired; one goroutine

	mu   sync.Mutex // guards gone
	gone map[string]time.Time
}

func (s *Spool) sweepLoop(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.sweep(ctx)
		}
	}
}

// sweep deletes contacts that have been expired for keptExpired, as one write.
func (s *Spool) sweep(ctx context.Context) {
	now := s.Now()
	expired := make(map[string]time.Time)
	var due []directory.Write
	for _, table := range s.Directory.View().Tables() {
		table.Expired(now.Unix(), func(r directory.Row) bool {
			key := table.KeyOf(r)
			id := rowID(table.Family().Name, key)
			first, ok := s.sweeper.seen[id]
			if !ok {
				first = now
			}
			expired[id] = first
			if now.Sub(first) >= keptExpired && len(due) < flushedAtOnce {
				due = append(due, directory.Write{Family: table.Family().Name, Key: key, Kind: directory.Delete})
			}
			return true
		})
	}
	s.sweeper.seen = expired
	s.sweeper.forget(now)
	if len(due) > 0 {
		_ = s.Write(ctx, due...) // fails at the end of the process: the next life sweeps
	}
}

// remember notes what writes, not yet published, do to expired contacts: one that
// they delete was expired, whoever deletes it; one that they put lives again.
func (s *Spool) remember(writes []directory.Write) {
	now := s.Now()
	view := s.Directory.View()
	s.sweeper.mu.Lock()
	defer s.sweeper.mu.Unlock()
	for _, w := range writes {
		switch w.Kind {
		case directory.Put:
			delete(s.sweeper.gone, rowID(w.Family, w.Key))
		case directory.Delete:
			table := view.Table([]byte(w.Family))
			for _, r := range table.Bucket(w.Key) {
				if table.IsExpired(r, now.Unix()) && len(s.sweeper.gone) < maxGone {
					s.sweeper.gone[rowID(w.Family, w.Key)] = now
				}
			}
		}
	}
}

// forget drops what was noted too long ago.
func (w *sweeper) forget(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, at := range w.gone {
		if now.Sub(at) > keptGone {
			delete(w.gone, id)
		}
	}
}

// WasExpired tells whether the row was deleted, by the sweep or by an Asterisk,
// a short while ago and was expired then.
func (s *Spool) WasExpired(name string, key []string) bool {
	s.sweeper.mu.Lock()
	defer s.sweeper.mu.Unlock()
	_, ok := s.sweeper.gone[rowID(name, key)]
	return ok
}

func rowID(name string, key []string) string {
	return name + "\x00" + strings.Join(key, "\x00")
}
