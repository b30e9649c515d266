package spool

import (
	"context"
	"slices"
	"strconv"
	"time"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/store"
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
		switch more, err := s.flushOnce(ctx); {
		case err != nil:
			pause = min(max(2*pause, 100*time.Millisecond), slowest)
			if ctx.Err() == nil && !s.down.Swap(true) {
				s.Log.Warn("SQL can't be written: what Asterisk writes waits in the spool", "error", err)
			}
		case more:
			pause = 0
		default:
			pause = flushEvery
		}
		timer.Reset(pause)
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

// flushOnce writes the oldest pending writes to SQL, reads them back and ends
// their overlays. It tells whether more wait.
func (s *Spool) flushOnce(ctx context.Context) (more bool, err error) {
	s.mu.Lock()
	batch := slices.Clone(s.pending[:min(len(s.pending), flushedAtOnce)])
	s.mu.Unlock()
	if len(batch) == 0 {
		return false, nil
	}
	position := batch[len(batch)-1].ID
	refused, err := s.Store.Flush(ctx, s.Journal.Life(), s.worthFlushing(batch), position)
	if err != nil {
		return false, err
	}
	if s.down.Swap(false) {
		s.Log.Info("SQL can be written again", "waiting", s.State().Entries)
	}
	if err := s.setAside(ctx, refused); err != nil {
		s.Log.Error("a refused write can't be noted", "error", err)
	}
	s.endOverlays(ctx, batch, refused, position)
	s.mu.Lock()
	s.pending = s.pending[len(batch):]
	s.undurable = max(0, min(s.undurable, len(s.pending)))
	more = len(s.pending) > 0
	if !more {
		s.pending = nil
	}
	s.mu.Unlock()
	if err := s.Journal.Forget(ctx, position); err != nil {
		s.Log.Warn("the spool can't be cleared", "error", err)
	}
	return more, nil
}

// worthFlushing leaves out contacts that expired while SQL was away: nobody may
// find them any more, and the sweeper removes what SQL has of them.
func (s *Spool) worthFlushing(batch []directory.Write) []directory.Write {
	limit := s.Now().Add(-keptExpired).Unix()
	out := make([]directory.Write, 0, len(batch))
	for _, w := range batch {
		if f, err := s.Store.Family(w.Family); err == nil && f.Expires != "" && expiredBefore(w, f.Expires, limit) {
			continue
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

func (s *Spool) setAside(ctx context.Context, refused []store.Refusal) error {
	for _, r := range refused {
		s.refused.Add(1)
		s.Log.Error("SQL refuses a row: it is served from memory and set aside", "family", r.Write.Family, "key", r.Write.Key, "error", r.Err,
			"hint", "asterism status lists it; mend the table or the row")
	}
	return s.Journal.Refuse(ctx, refused)
}

// endOverlays reads flushed rows back and takes their overlays away, but for
// rows that SQL refused: these go on being served from memory.
func (s *Spool) endOverlays(ctx context.Context, batch []directory.Write, refused []store.Refusal, position int64) {
	kept := make(map[string]bool)
	for _, r := range refused {
		kept[r.Write.Family+string(family.AppendKey(nil, r.Write.Key...))] = true
	}
	keys := make(map[string][][]string)
	seen := make(map[string]bool)
	for _, w := range batch {
		id := w.Family + string(family.AppendKey(nil, w.Key...))
		if w.Kind == directory.Append || kept[id] || seen[id] {
			continue
		}
		seen[id] = true
		keys[w.Family] = append(keys[w.Family], w.Key)
	}
	for name, of := range keys {
		s.endFamily(ctx, name, of, position)
	}
}

func (s *Spool) endFamily(ctx context.Context, name string, keys [][]string, position int64) {
	f, err := s.Store.Family(name)
	if err != nil {
		return // gone meanwhile: nobody reads it either
	}
	texts := make([][]string, len(keys))
	for i, key := range keys {
		texts[i] = directory.Encode(f, key)
	}
	if err := s.Reader.Reread(ctx, name, texts); err != nil {
		s.Log.Warn("flushed rows can't be read back: they stay laid over SQL", "family", name, "error", err)
		return
	}
	s.Directory.Lift(name, keys, position)
	if s.refused.Load() == 0 {
		return
	}
	for _, key := range keys {
		if n, err := s.Journal.Accept(ctx, name, key); err == nil {
			s.refused.Add(-n)
		}
	}
}
