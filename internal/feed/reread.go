package feed

import (
	"context"
	"runtime"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/store"
)

// Reread publishes what SQL says now of some keys (texts as SQL holds them). The
// entries of the change log that it makes moot are passed over later.
func (f *Feed) Reread(ctx context.Context, name string, keys [][]string) error {
	for len(keys) > 0 {
		n := min(len(keys), keysAtOnce)
		if err := f.publish(ctx, name, keys[:n]); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// noteRead notes up to which entry of the log a reader shows keys.
func (f *Feed) noteRead(ctx context.Context, reader *store.Reader, of bucket, keys [][]string) error {
	upTo, _, err := reader.Position(ctx)
	if err != nil {
		return err
	}
	for _, key := range keys {
		of.key = string(family.AppendKey(nil, key...))
		f.read[of] = upTo
	}
	return nil
}

// isRead tells whether a later read has published a change already.
func (f *Feed) isRead(change store.Change) bool {
	f.reading.Lock()
	defer f.reading.Unlock()
	return change.Seq <= f.read[bucket{change.Family, change.Key}]
}

// forgetRead forgets what no entry after a position can ask for.
func (f *Feed) forgetRead(position int64) {
	f.reading.Lock()
	defer f.reading.Unlock()
	for of, upTo := range f.read {
		if upTo <= position {
			delete(f.read, of)
		}
	}
}

// publish reads the rows of keys and publishes them, under the lock.
func (f *Feed) publish(ctx context.Context, name string, keys [][]string) error {
	fam, followed := f.followed(name)
	if !followed {
		return nil
	}
	f.reading.Lock()
	defer f.reading.Unlock()
	reader, err := f.store.Read(ctx)
	if err != nil {
		return err
	}
	defer reader.Close()
	table := f.directory.View().Table([]byte(fam.Name))
	rows := make(map[string][]directory.Row, len(keys))
	into := &assembler{
		build:     directory.NewBuilder,
		columnsOf: func(names []string) *directory.Columns { return f.directory.EnsureColumns(fam.Name, names) },
		each: func(row directory.Row) {
			key := string(family.AppendKey(nil, table.KeyOf(row)...))
			rows[key] = append(rows[key], row)
		},
	}
	if err := reader.Buckets(ctx, fam, keys, into); err != nil {
		return err
	}
	if err := f.noteRead(ctx, reader, bucket{family: fam.Name}, keys); err != nil {
		return err
	}
	buckets := make([]directory.Bucket, 0, len(keys))
	for _, key := range keys {
		decoded := decode(fam, key)
		buckets = append(buckets, directory.Bucket{Key: decoded, Rows: rows[string(family.AppendKey(nil, decoded...))]})
	}
	for len(buckets) > 0 {
		n := min(len(buckets), bucketsAtOne)
		f.directory.Publish(fam.Name, buckets[:n])
		buckets = buckets[n:]
		runtime.Gosched()
	}
	return nil
}

func decode(fam *family.Family, key []string) []string {
	out, err := directory.Decode(fam, string(family.AppendKey(nil, key...)))
	if err != nil {
		panic(err) // AppendKey makes what Decode reads
	}
	return out
}
