package feed

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/store"
)

// Limits and rhythm of the follower.
const (
	pollEvery    = 20 * time.Millisecond
	lookEvery    = 10 * time.Second // at the schema and the database file
	scrubEvery   = time.Hour
	bulkKeys     = 20_000 // pending keys from which a family is read as a whole
	keysAtOnce   = 500    // keys read and published under one hold of the lock
	bucketsAtOne = 50     // buckets published at once: contact writes go between
	logAtOnce    = 10_000 // entries of the log read at once
)

// Feed follows one store into one directory.
type Feed struct {
	store     *store.Store
	directory *directory.Directory
	log       *slog.Logger

	following sync.Mutex // held by whoever catches up with the log: positions only grow
	reading   sync.Mutex // held from the read of rows to their publication

	applied  atomic.Int64 // newest entry whose rows are published
	lag      atomic.Int64 // nanoseconds from the newest published entry's commit to its publication
	down     atomic.Bool
	mended   atomic.Uint64
	schema   int64
	waiters  sync.Mutex // guards progress
	progress chan struct{}
}

// New makes a follower.
func New(s *store.Store, d *directory.Directory, log *slog.Logger) *Feed {
	return &Feed{store: s, directory: d, log: log, progress: make(chan struct{})}
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

// Load reads everything. It comes before Run.
func (f *Feed) Load(ctx context.Context) error {
	version, err := f.store.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	f.schema = version
	position, err := f.position(ctx)
	if err != nil {
		return err
	}
	if _, err := f.readAll(ctx); err != nil {
		return err
	}
	f.advance(position)
	return nil
}

func (f *Feed) position(ctx context.Context) (int64, error) {
	reader, err := f.store.Read(ctx)
	if err != nil {
		return 0, err
	}
	defer reader.Close()
	newest, _, err := reader.Position(ctx)
	return newest, err
}

// readAll reads all families, two at a time.
func (f *Feed) readAll(ctx context.Context) (mended int, err error) {
	names := make(chan *family.Family)
	var total atomic.Int64
	var failed atomic.Pointer[error]
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for fam := range names {
				n, err := f.readFamily(ctx, fam)
				if err != nil {
					failed.CompareAndSwap(nil, &err)
				}
				total.Add(int64(n))
			}
		})
	}
	for _, fam := range f.store.Families() {
		if !fam.AppendOnly && f.directory.View().Table([]byte(fam.Name)) != nil {
			names <- fam
		}
	}
	close(names)
	readers.Wait()
	if e := failed.Load(); e != nil {
		return 0, *e
	}
	return int(total.Load()), nil
}

// readFamily reads a whole family beside what is served and puts it in place.
func (f *Feed) readFamily(ctx context.Context, fam *family.Family) (mended int, err error) {
	rebuild := f.directory.Begin(fam)
	reader, err := f.store.Read(ctx)
	if err != nil {
		rebuild.Cancel()
		return 0, err
	}
	defer reader.Close()
	into := &assembler{columnsOf: rebuild.Columns, each: func(row directory.Row) { rebuild.Add(row) }}
	if err := reader.All(ctx, fam, into); err != nil {
		rebuild.Cancel()
		return 0, err
	}
	f.reading.Lock()
	defer f.reading.Unlock()
	return rebuild.Commit(), nil
}

// Scrub compares every family with SQL, mends what differs and gives the number
// of rows that did.
func (f *Feed) Scrub(ctx context.Context) (int, error) {
	if err := f.catchUp(ctx); err != nil {
		return 0, err
	}
	mended, err := f.readAll(ctx)
	if err != nil {
		return 0, fmt.Errorf("scrub: %w", err)
	}
	f.mended.Add(uint64(mended))
	if mended > 0 {
		f.log.Warn("the scrub mended rows that no trigger told of", "rows", mended)
	}
	return mended, nil
}

// Reread publishes what SQL says now of some keys (texts as SQL holds them).
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

// publish reads the rows of keys and publishes them, under the lock.
func (f *Feed) publish(ctx context.Context, name string, keys [][]string) error {
	fam, err := f.store.Family(name)
	if err != nil || fam.AppendOnly || f.directory.View().Table([]byte(fam.Name)) == nil {
		return err
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
		columnsOf: func(names []string) *directory.Columns { return f.directory.EnsureColumns(fam.Name, names) },
		each: func(row directory.Row) {
			key := string(family.AppendKey(nil, table.KeyOf(row)...))
			rows[key] = append(rows[key], row)
		},
	}
	if err := reader.Buckets(ctx, fam, keys, into); err != nil {
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
