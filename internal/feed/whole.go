package feed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/store"
)

// Load reads everything. It comes before Run.
func (f *Feed) Load(ctx context.Context) error {
	version, err := f.describe(ctx)
	if err != nil {
		return err
	}
	position, err := f.position(ctx)
	if err != nil {
		return err
	}
	f.forgetRead(math.MaxInt64) // positions of another log, perhaps
	if _, err := f.readAll(ctx, nothing); err != nil {
		return err
	}
	f.schema.Store(version)
	f.advance(position)
	return nil
}

func nothing(context.Context) error { return nil }

// describe makes the store look at its tables again and see to its triggers, and
// gives the version of the schema that it found then.
func (f *Feed) describe(ctx context.Context) (version int64, err error) {
	for {
		before, err := f.store.SchemaVersion(ctx)
		if err != nil {
			return 0, err
		}
		if err := f.store.Describe(ctx); err != nil {
			return 0, err
		}
		if err := f.store.EnsureTriggers(ctx); err != nil {
			return 0, err
		}
		version, err = f.store.SchemaVersion(ctx)
		if err != nil || version == before {
			return version, err
		}
	}
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

// wholeRead is what a read of a whole family brought.
type wholeRead struct {
	mended int   // rows that differed, though no entry told of them
	upTo   int64 // newest entry at the read's moment: older ones of the family are moot
}

// readAll reads all families, two at a time. settle runs between a family's read
// and its publication.
func (f *Feed) readAll(ctx context.Context, settle func(context.Context) error) (mended int, err error) {
	families := make(chan *family.Family)
	var mu sync.Mutex // guards mended and err
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for fam := range families {
				read, failed := f.readFamily(ctx, fam, settle)
				mu.Lock()
				mended += read.mended
				err = errors.Join(err, failed)
				mu.Unlock()
			}
		})
	}
	for _, fam := range f.store.Families() {
		if !fam.AppendOnly && f.directory.View().Table([]byte(fam.Name)) != nil {
			families <- fam
		}
	}
	close(families)
	readers.Wait()
	return mended, err
}

// readFamily reads a whole family beside what is served and puts it in place.
func (f *Feed) readFamily(ctx context.Context, fam *family.Family, settle func(context.Context) error) (read wholeRead, err error) {
	scan, rebuild, upTo, err := f.begin(ctx, fam)
	if err != nil {
		return read, err
	}
	build := directory.NewBuilder // of most rows memory has a copy already
	if f.directory.View().Table([]byte(fam.Name)).Count() == 0 {
		build = directory.NewBulkBuilder
	}
	into := &assembler{columnsOf: rebuild.Columns, each: func(row directory.Row) { rebuild.Add(row) }, build: build}
	err = scan.All(ctx, fam, into)
	scan.Close()
	if err == nil {
		err = settle(ctx)
	}
	if err != nil {
		rebuild.Cancel()
		return read, err
	}
	f.reading.Lock()
	defer f.reading.Unlock()
	return wholeRead{mended: rebuild.Commit(), upTo: upTo}, nil
}

// begin begins the read of a whole family and gives the newest entry at that
// moment. No other read is between its beginning and its publication then: what
// is published while this one goes on was read after it began.
func (f *Feed) begin(ctx context.Context, fam *family.Family) (scan *store.Scan, rebuild *directory.Rebuild, upTo int64, err error) {
	f.reading.Lock()
	defer f.reading.Unlock()
	scan, err = f.store.Scan()
	if err != nil {
		return nil, nil, 0, err
	}
	upTo, err = scan.Position(ctx) // the first question fixes the moment
	if err != nil {
		scan.Close()
		return nil, nil, 0, err
	}
	return scan, f.directory.Begin(fam), upTo, nil
}

// Scrub compares every family with SQL, mends what differs and gives the number
// of rows that did.
func (f *Feed) Scrub(ctx context.Context) (int, error) {
	if err := f.catchUp(ctx); err != nil {
		return 0, err
	}
	// What came meanwhile is published before a family is compared: it is news,
	// not a difference.
	mended, err := f.readAll(ctx, f.catchUp)
	f.mended.Add(uint64(mended))
	if mended > 0 {
		f.log.Warn("the scrub mended rows that no trigger told of", "rows", mended)
	}
	if err != nil {
		return mended, fmt.Errorf("scrub: %w", err)
	}
	return mended, nil
}
