package feed

import (
	"context"
	"time"

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
	switch {
	case f.replaced != nil:
		return watch, f.replaced // the next look tries again
	case f.lookNow.Swap(false) || f.store.Replaced():
		return f.look(ctx, watch)
	}
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
	if f.replaced != nil || f.store.Replaced() {
		f.log.Warn("another database file lies in the store's place: reading everything again", "path", f.store.Path())
		closeWatch(watch)
		f.replaced = f.reopen(ctx)
		return nil, f.replaced
	}
	version, err := f.store.SchemaVersion(ctx)
	if err != nil {
		return watch, err
	}
	if version == f.schema.Load() {
		return watch, f.catchUp(ctx)
	}
	f.log.Info("tables or triggers of the store changed: comparing everything with memory")
	if version, err = f.describe(ctx); err != nil {
		return watch, err
	}
	if _, err := f.Scrub(ctx); err != nil {
		return watch, err
	}
	f.schema.Store(version)
	return watch, nil
}

func (f *Feed) reopen(ctx context.Context) error {
	if err := f.store.Reconnect(ctx); err != nil {
		return err
	}
	return f.Load(ctx)
}
