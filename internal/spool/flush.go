package spool

import (
	"context"
	"slices"
	"strconv"
	"time"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
	"asterism/internal/store"
)

// A flush costs as much for twenty rows as for a hundred, so the more there is to
// do the longer the next one waits for company: it rests restTimes as long as it
// worked.
const (
	restTimes   = 4
	longestRest = 250 * time.Millisecond
)

// slowest is the longest pause between tries while SQL can't be written.
const slowest = 2 * time.Second

func (s *Spool) flushLoop(ctx context.Context) {
	timer := time.NewTimer(flushEvery)
	defer timer.Stop()
	pause := flushEvery
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		began := time.Now()
		more, err := s.flushOnce(ctx)
		s.note(ctx, err)
		switch {
		case err != nil:
			pause = min(max(2*pause, 100*time.Millisecond), slowest)
		case more:
			pause = 0
		default:
			pause = min(max(flushEvery, restTimes*time.Since(began)), longestRest)
		}
		timer.Reset(pause)
	}
}

// note tells once when SQL stops taking what waits and once when it takes it again.
func (s *Spool) note(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
	case err != nil && !s.down.Swap(true):
		s.Log.Warn("SQL can't be written: what Asterisk writes waits in the spool", "error", err)
	case err == nil && s.down.Swap(false):
		s.Log.Info("SQL can be written again", "waiting", s.State().Entries)
	}
}

// Drain flushes until nothing waits or the context ends.
func (s *Spool) Drain(ctx context.Context) error {
	for {
		more, err := s.flushOnce(ctx)
		if err != nil || !more {
			return err
		}
	}
}

// Settle returns once what was acknowledged of a family before the call is in
// SQL, but for what SQL refuses.
func (s *Spool) Settle(ctx context.Context, name string) error {
	s.mu.Lock()
	last := s.last
	s.mu.Unlock()
	for s.waits(name, last) {
		if _, err := s.flushOnce(ctx); err != nil {
			return err
		}
	}
	return nil
}

// waits tells whether a write of a family up to the given one is not yet in SQL.
func (s *Spool) waits(name string, upTo int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.pending, func(w directory.Write) bool { return w.Family == name && w.ID <= upTo })
}

// flushOnce writes the oldest pending writes to SQL, reads them back and ends
// their overlays. It tells whether more wait.
func (s *Spool) flushOnce(ctx context.Context) (more bool, err error) {
	select {
	case s.flushing <- struct{}{}:
		defer func() { <-s.flushing }()
	case <-ctx.Done():
		return false, &failure.Error{Kind: failure.Unavailable, Message: "flush the spool", Cause: ctx.Err()}
	}
	s.mu.Lock()
	batch := slices.Clone(s.pending[:min(len(s.pending), flushedAtOnce)])
	s.mu.Unlock()
	if len(batch) == 0 {
		return false, s.readBack(ctx)
	}
	again := s.rejoin(ctx, batch)
	var aside map[string]bool
	position := batch[len(batch)-1].ID
	err = s.Store.Flush(ctx, store.Flush{
		Spool: s.Journal.Life(), Writes: s.worthFlushing(batch), Position: position,
		SetAside: func(refused []store.Refusal) { aside = s.setAside(ctx, batch, refused, again) },
	})
	if err != nil {
		return false, err
	}
	s.noteUnread(batch, aside, position)
	err = s.readBack(ctx)
	s.mu.Lock()
	s.pending = s.pending[len(batch):]
	s.undurable = min(s.undurable, len(s.pending))
	more = len(s.pending) > 0
	if !more {
		s.pending = nil
	}
	s.mu.Unlock()
	if err := s.Journal.Forget(ctx, position); err != nil {
		s.Log.Warn("the spool can't be cleared", "error", err)
	}
	return more, err
}

// worthFlushing makes deletions of contacts that expired while SQL was away:
// nobody may find them any more, nor what SQL still has of their rows.
func (s *Spool) worthFlushing(batch []directory.Write) []directory.Write {
	limit := s.Now().Add(-keptExpired)
	out := make([]directory.Write, 0, len(batch))
	for _, w := range batch {
		f, err := s.Store.Family(w.Family)
		if err == nil && f.Expires != "" && w.At < limit.UnixMilli() && expiredBefore(w, f.Expires, limit.Unix()) {
			w.Kind, w.Values = directory.Delete, nil
		}
		out = append(out, w)
	}
	return out
}

func expiredBefore(w directory.Write, column string, limit int64) bool {
	for _, v := range w.Values {
		if v.Column == column && len(v.Values) == 1 {
			at, err := strconv.ParseInt(v.Values[0], 10, 64)
			return err == nil && at > 0 && at < limit
		}
	}
	return false
}

// noteUnread notes the rows that were flushed and must be read back, but for
// those that SQL refused: these go on being served from memory.
func (s *Spool) noteUnread(batch []directory.Write, aside map[string]bool, position int64) {
	s.flushed = position
	for _, w := range batch {
		if w.Kind == directory.Append || aside[bucketOf(w)] {
			continue
		}
		if s.unread[w.Family] == nil {
			s.unread[w.Family] = make(map[string][]string)
		}
		s.unread[w.Family][bucketOf(w)] = w.Key
	}
}

// readBack reads flushed rows and ends their overlays. Where that fails they stay
// laid over SQL until a later call.
func (s *Spool) readBack(ctx context.Context) error {
	for name, of := range s.unread {
		f, err := s.Store.Family(name)
		if err != nil || s.Directory.View().Table([]byte(name)) == nil {
			delete(s.unread, name) // gone meanwhile: nobody reads it either
			continue
		}
		var keys, texts [][]string
		for _, key := range of {
			keys = append(keys, key)
			texts = append(texts, directory.Encode(f, key))
		}
		if err := s.Reader.Reread(ctx, name, texts); err != nil {
			return err
		}
		s.Directory.Lift(name, keys, s.flushed)
		delete(s.unread, name)
	}
	return nil
}

// bucketOf names what a write is to: rows of one key, or one row of a log.
func bucketOf(w directory.Write) string {
	if w.Kind == directory.Append {
		return w.Family + "#" + strconv.FormatInt(w.ID, 10)
	}
	return w.Family + string(family.AppendKey(nil, w.Key...))
}
