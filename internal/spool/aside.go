package spool

import (
	"cmp"
	"context"
	"slices"

	"asterism/internal/directory"
	"asterism/internal/store"
)

// setAside keeps what SQL refuses of a batch, before the rest is committed. Of
// each row it keeps the sum of the writes from the first refused one on, those
// that SQL took among them: a change of a row that SQL does not have changed
// nothing there. again names rows that were refused before. It gives the names of
// the rows that are aside now.
func (s *Spool) setAside(ctx context.Context, batch []directory.Write, refused []store.Refusal, again map[string]bool) map[string]bool {
	sums := sumRefused(batch, refused)
	aside := make(map[string]bool, len(sums))
	list := make([]store.Refusal, 0, len(sums))
	for id, r := range sums {
		aside[id] = true
		s.aside[id] = r.Write
		list = append(list, r)
		if !again[id] {
			s.Log.Error("SQL refuses a row: it is served from memory and set aside", "family", r.Write.Family, "key", r.Write.Key, "error", r.Err,
				"hint", "asterism status lists it; mend the table or the row")
		}
	}
	s.refused.Store(int64(len(s.aside)))
	slices.SortFunc(list, func(a, b store.Refusal) int { return cmp.Compare(a.Write.ID, b.Write.ID) })
	if err := s.Journal.Refuse(ctx, list); err != nil {
		s.Log.Error("refused writes can't be noted: they are kept in memory only", "error", err)
	}
	return aside
}

func sumRefused(batch []directory.Write, refused []store.Refusal) map[string]store.Refusal {
	why := make(map[int64]error, len(refused))
	for _, r := range refused {
		why[r.Write.ID] = r.Err
	}
	sums := make(map[string]store.Refusal)
	for _, w := range batch {
		id := bucketOf(w)
		older, summed := sums[id]
		err, isRefused := why[w.ID]
		switch {
		case !isRefused && w.Kind == directory.Delete:
			delete(sums, id)
		case !summed && isRefused:
			sums[id] = store.Refusal{Write: w, Err: err}
		case summed:
			if !isRefused {
				err = older.Err
			}
			sums[id] = store.Refusal{Write: join(older.Write, w), Err: err}
		}
	}
	return sums
}

// rejoin makes one write of each that comes and what SQL refused of the same row
// before: they are tried again together. It gives the names of these rows.
func (s *Spool) rejoin(ctx context.Context, batch []directory.Write) (again map[string]bool) {
	again = make(map[string]bool)
	if len(s.aside) == 0 {
		return again
	}
	var ids []int64
	var joined []directory.Write
	for i, w := range batch {
		id := bucketOf(w)
		older, ok := s.aside[id]
		if !ok {
			continue
		}
		again[id] = true
		delete(s.aside, id)
		batch[i] = join(older, w)
		ids, joined = append(ids, older.ID), append(joined, batch[i])
	}
	if len(ids) == 0 {
		return again
	}
	s.refused.Store(int64(len(s.aside)))
	s.mu.Lock()
	copy(s.pending, batch)
	s.mu.Unlock()
	if err := s.Journal.Retry(ctx, ids, joined); err != nil {
		s.Log.Warn("refused writes can't be taken back: they will be tried once more after the next start", "error", err)
	}
	return again
}

// join gives one write that does what two to the same row do. What was refused of
// a deletion is moot once something else comes.
func join(older, newer directory.Write) directory.Write {
	if newer.Kind == directory.Delete || older.Kind == directory.Delete || older.Kind == directory.Append {
		return newer
	}
	if older.Kind == directory.Put {
		newer.Kind = directory.Put
	}
	values := slices.DeleteFunc(slices.Clone(older.Values), func(v directory.Value) bool {
		return slices.ContainsFunc(newer.Values, func(n directory.Value) bool { return n.Column == v.Column })
	})
	newer.Values = append(values, newer.Values...)
	return newer
}
