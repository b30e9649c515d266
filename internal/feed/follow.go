package feed

import (
	"context"
	"time"

	"asterism/internal/family"
	"asterism/internal/store"
)

// Run follows until the context ends.
func (f *Feed) Run(ctx context.Context) {
	poll := time.NewTicker(pollEvery)
	look := time.NewTicker(lookEvery)
	scrub := time.NewTicker(scrubEvery)
	defer poll.Stop()
	defer look.Stop()
	defer scrub.Stop()
	var watch *store.Watch
	defer func() { closeWatch(watch) }()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
			watch, err = f.poll(ctx, watch)
		case <-look.C:
			watch, err = f.look(ctx, watch)
		case <-scrub.C:
			_, err = f.Scrub(ctx)
		}
		f.note(ctx, err)
	}
}

func closeWatch(w *store.Watch) {
	if w != nil {
		_ = w.Close() // it only ever read
	}
}

// note tells once when the database goes away and once when it is back.
func (f *Feed) note(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
	case err != nil && !f.down.Swap(true):
		f.log.Warn("SQL can't be read: answers go on from memory", "error", err)
	case err == nil && f.down.Swap(false):
		f.log.Info("SQL can be read again")
	}
}

// poll catches up when anybody wrote. The wake is a hint only: every look
// catches up too.
func (f *Feed) poll(ctx context.Context, watch *store.Watch) (*store.Watch, error) {
	if watch == nil {
		var err error
		if watch, err = f.store.Watch(ctx); err != nil {
			return nil, err
		}
	}
	changed, err := watch.Changed(ctx)
	if err != nil {
		closeWatch(watch)
		return nil, err
	}
	if !changed && !f.down.Load() {
		return watch, nil
	}
	return watch, f.catchUp(ctx)
}

// look finds what the change log can't tell: another database file in the
// store's place, other tables, columns or triggers.
func (f *Feed) look(ctx context.Context, watch *store.Watch) (*store.Watch, error) {
	if f.store.Replaced() {
		f.log.Warn("another database file lies in the store's place: reading everything again", "path", f.store.Path())
		closeWatch(watch)
		if err := f.store.Reconnect(ctx); err != nil {
			return nil, err
		}
		return nil, f.reload(ctx)
	}
	version, err := f.store.SchemaVersion(ctx)
	if err != nil {
		return watch, err
	}
	if version == f.schema {
		return watch, f.catchUp(ctx)
	}
	f.log.Info("tables or triggers of the store changed: comparing everything with memory")
	if err := f.store.Describe(ctx); err != nil {
		return watch, err
	}
	if err := f.store.EnsureTriggers(ctx); err != nil {
		return watch, err
	}
	if _, err := f.Scrub(ctx); err != nil {
		return watch, err
	}
	f.schema, err = f.store.SchemaVersion(ctx)
	return watch, err
}

// reload reads everything again from a new position, while answers go on.
func (f *Feed) reload(ctx context.Context) error {
	if err := f.store.Describe(ctx); err != nil {
		return err
	}
	if err := f.store.EnsureTriggers(ctx); err != nil {
		return err
	}
	return f.Load(ctx)
}

// catchUp publishes all entries of the log after the applied position.
func (f *Feed) catchUp(ctx context.Context) error {
	f.following.Lock()
	defer f.following.Unlock()
	for {
		batch, newest, err := f.pending(ctx)
		if err != nil {
			return err
		}
		if batch == nil {
			return nil
		}
		if err := f.apply(ctx, batch); err != nil {
			return err
		}
		last := batch[len(batch)-1]
		f.lag.Store(int64(max(0, time.Since(time.UnixMilli(last.At)))))
		f.advance(last.Seq)
		if last.Seq >= newest {
			return nil
		}
	}
}

// pending reads the next entries. A position that the log can't continue from
// (pruned past it, or a log that is younger) makes it read everything.
func (f *Feed) pending(ctx context.Context) (batch []store.Change, newest int64, err error) {
	reader, err := f.store.Read(ctx)
	if err != nil {
		return nil, 0, err
	}
	newest, pruned, err := reader.Position(ctx)
	if err == nil && newest > f.applied.Load() {
		batch, err = reader.Changes(ctx, f.applied.Load(), logAtOnce)
	}
	reader.Close()
	if err != nil {
		return nil, 0, err
	}
	applied := f.applied.Load()
	if applied < pruned || applied > newest {
		f.log.Warn("the change log can't be continued: reading everything again", "applied", applied, "pruned", pruned, "newest", newest)
		return nil, 0, f.reload(ctx)
	}
	if len(batch) == 0 && newest > applied {
		f.advance(newest) // entries that a rolled back transaction numbered
	}
	return batch, newest, nil
}

// apply publishes the rows that entries name, each key once.
func (f *Feed) apply(ctx context.Context, batch []store.Change) error {
	keys := make(map[string][][]string)
	seen := make(map[[2]string]bool, len(batch))
	for _, change := range batch {
		id := [2]string{change.Family, change.Key}
		if seen[id] {
			continue
		}
		seen[id] = true
		key, err := family.SplitKey(change.Key)
		if err != nil {
			f.log.Error("an entry of the change log can't be read: a scrub will mend what it meant", "seq", change.Seq, "error", err)
			continue
		}
		keys[change.Family] = append(keys[change.Family], key)
	}
	for name, of := range keys {
		if err := f.applyFamily(ctx, name, of); err != nil {
			return err
		}
	}
	return nil
}

func (f *Feed) applyFamily(ctx context.Context, name string, keys [][]string) error {
	fam, err := f.store.Family(name)
	if err != nil {
		return nil // an operator's table that is no family here
	}
	good := keys[:0]
	for _, key := range keys {
		if len(key) == len(fam.Key) {
			good = append(good, key)
		}
	}
	return f.Reread(ctx, fam.Name, good)
}

// CatchUp publishes everything that is in the change log now, for callers that
// wait to see their own change.
func (f *Feed) CatchUp(ctx context.Context) error { return f.catchUp(ctx) }
