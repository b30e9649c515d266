package spool

import (
	"context"
	"sync"
	"time"

	"asterism/internal/directory"
)

const (
	// keptExpired is how long an expired contact stays findable by Asterisk's
	// own expiry, which asks every 30 s by default.
	keptExpired = 2 * time.Minute
	sweepEvery  = time.Second
	// keptSwept is how long a destroy of a swept contact is still answered 1.
	keptSwept = 10 * time.Minute
	maxSwept  = 200_000
)

// sweeper remembers expired contacts.
type sweeper struct {
	seen map[string]time.Time // first seen expired; one goroutine

	mu    sync.Mutex // guards swept
	swept map[string]time.Time
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
			id := sweptID(table.Family().Name, key)
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
	if len(due) == 0 || s.Write(ctx, due...) != nil {
		return // at the end of the process: the next life sweeps
	}
	s.sweeper.remember(due, now)
}

func (w *sweeper) remember(due []directory.Write, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, at := range w.swept {
		if now.Sub(at) > keptSwept || len(w.swept) > maxSwept {
			delete(w.swept, id)
		}
	}
	for _, write := range due {
		w.swept[sweptID(write.Family, write.Key)] = now
	}
}

// TakeSwept tells, once, whether the row was swept a short while ago: a destroy
// of it by Asterisk then counts as done, so that its observers run.
func (s *Spool) TakeSwept(name string, key []string) bool {
	s.sweeper.mu.Lock()
	defer s.sweeper.mu.Unlock()
	id := sweptID(name, key)
	_, ok := s.sweeper.swept[id]
	delete(s.sweeper.swept, id)
	return ok
}

func sweptID(name string, key []string) string {
	id := name
	for _, text := range key {
		id += "\x00" + text
	}
	return id
}
