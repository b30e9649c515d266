package feed

import (
	"context"
	"time"

	"asterism/internal/failure"
	"asterism/internal/family"
	"asterism/internal/store"
)

// catchUp publishes all entries of the log after the applied position.
func (f *Feed) catchUp(ctx context.Context) error {
	f.following.Lock()
	defer f.following.Unlock()
	whole := make(map[string]int64)
	counted := f.applied.Load()
	for {
		batch, newest, err := f.pending(ctx)
		if err != nil || batch == nil {
			return err
		}
		if newest-max(counted, f.applied.Load()) > f.bulk {
			if err := f.readBulk(ctx, whole); err != nil {
				return err
			}
			counted = newest
		}
		if err := f.apply(ctx, batch, whole); err != nil {
			return err
		}
		last := batch[len(batch)-1]
		f.lag.Store(int64(max(0, time.Since(time.UnixMilli(last.At)))))
		f.advance(last.Seq)
		f.forgetRead(last.Seq)
		if last.Seq >= newest {
			return nil
		}
	}
}

// pending reads the next entries. A position that the log can't continue from
// (pruned past it, or a log that is younger) makes it read everything.
func (f *Feed) pending(ctx context.Context) (batch []store.Change, newest int64, err error) {
	applied := f.applied.Load()
	reader, err := f.store.Read(ctx)
	if err != nil {
		return nil, 0, err
	}
	newest, pruned, err := reader.Position(ctx)
	if err == nil && newest > applied {
		batch, err = reader.Changes(ctx, applied, logAtOnce)
	}
	reader.Close()
	if err != nil {
		return nil, 0, err
	}
	if applied < pruned || applied > newest {
		f.log.Warn("the change log can't be continued: reading everything again", "applied", applied, "pruned", pruned, "newest", newest)
		return nil, 0, f.Load(ctx)
	}
	if len(batch) == 0 && newest > applied {
		f.advance(newest) // numbers that were given and never used
	}
	return batch, newest, nil
}

// readBulk reads families as a whole of which very many keys are pending, and
// notes up to where that makes their entries moot.
func (f *Feed) readBulk(ctx context.Context, whole map[string]int64) error {
	reader, err := f.store.Read(ctx)
	if err != nil {
		return err
	}
	pending, err := reader.Pending(ctx, f.applied.Load())
	reader.Close()
	if err != nil {
		return err
	}
	for name, entries := range pending {
		if entries <= f.bulk {
			continue
		}
		fam, followed := f.followed(name)
		if !followed {
			continue
		}
		read, err := f.readFamily(ctx, fam, nothing)
		if err = f.passOver(name, err); err != nil {
			return err
		}
		whole[name] = max(whole[name], read.upTo)
	}
	return nil
}

// followed finds a family of the store that memory has.
func (f *Feed) followed(name string) (*family.Family, bool) {
	fam, err := f.store.Family(name)
	if err != nil || fam.AppendOnly || f.directory.View().Table([]byte(fam.Name)) == nil {
		return nil, false // an operator's table that is no family here
	}
	return fam, true
}

// passOver takes the error of a family whose table is not what it was: the others
// are followed all the same, and a look at the tables, at once, sees to this one.
func (f *Feed) passOver(name string, err error) error {
	if err == nil || failure.KindOf(err) != failure.Refused {
		return err
	}
	f.log.Warn("a family can't be read", "family", name, "error", err)
	f.lookNow.Store(true)
	return nil
}

// apply publishes the rows that entries name, each key once. whole tells up to
// which entry a family needs no more.
func (f *Feed) apply(ctx context.Context, batch []store.Change, whole map[string]int64) error {
	keys := make(map[string][][]string)
	seen := make(map[[2]string]bool, len(batch))
	for _, change := range batch {
		id := [2]string{change.Family, change.Key}
		if seen[id] || change.Seq <= whole[change.Family] || f.isRead(change) {
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
		if err := f.passOver(name, f.applyFamily(ctx, name, of)); err != nil {
			return err
		}
	}
	return nil
}

func (f *Feed) applyFamily(ctx context.Context, name string, keys [][]string) error {
	fam, followed := f.followed(name)
	if !followed {
		return nil
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
