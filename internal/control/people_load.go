package control

import (
	"context"
	"errors"
	"fmt"
	"io"

	"asterism/internal/failure"
	"asterism/internal/family"
	"asterism/internal/store"
)

// Format is how the rows of a load are written down.
type Format string

// The formats of a load.
const (
	CSV       Format = "csv"   // the first line names the columns
	JSONLines Format = "jsonl" // one object per line: column -> text, number, boolean or null
)

// maxBadLines is how many bad lines a load describes; it counts them all.
const maxBadLines = 100

// LoadOptions say how to load.
type LoadOptions struct {
	Format   Format // CSV when empty
	SkipBad  bool   // load the good rows even when there are bad ones
	Progress func(phase string, done, total int64)
}

// Loaded says what became of a load.
type Loaded struct {
	Rows  int64     // that are in the store now
	Bad   int64     // lines that can't be a row
	Lines []BadLine // the first of them
}

// BadLine is a line, counted from 1, that can't be a row, and why.
type BadLine struct {
	Number int64
	Reason string
}

// Load makes the rows of a source exist; a row that is there keeps the columns
// that the source does not name. All rows are checked before the first is
// written, so the source is read twice. When any is bad nothing is loaded,
// unless SkipBad says otherwise. Rows are written in transactions of at most
// store.BulkRows; a load that is cut off half way may be run again.
func (p *People) Load(ctx context.Context, name string, from io.Reader, o LoadOptions) (Loaded, error) {
	f, err := p.family(name)
	if err != nil {
		return Loaded{}, err
	}
	l := &load{store: p.Store, family: f, options: o, attempted: "load " + f.Name, seen: newSeenKeys()}
	if f.AppendOnly {
		return Loaded{}, &failure.Error{
			Kind: failure.Invalid, Field: "family", Message: l.attempted + ": it is a log that Asterisk writes",
			Hint: "bring old entries into its table with the tools of your database",
		}
	}
	l.source, err = openSource(ctx, from)
	if err != nil {
		return Loaded{}, fmt.Errorf("%s: %w", l.attempted, err)
	}
	defer l.source.close()
	if err := l.check(ctx); err != nil {
		return l.loaded, err
	}
	if l.loaded.Bad > 0 && !o.SkipBad {
		return l.loaded, &failure.Error{
			Kind: failure.Invalid, Message: fmt.Sprintf("%s: %d of %d rows are bad, nothing was loaded", l.attempted, l.loaded.Bad, l.rows),
			Hint: "mend them, or load the others with --skip-bad",
		}
	}
	err = l.write(ctx)
	return l.loaded, err
}

// load is one load under way.
type load struct {
	store     *store.Store
	family    *family.Family
	options   LoadOptions
	attempted string
	source    *source
	seen      *seenKeys
	key       []byte  // scratch
	rows      int64   // of the source, bad ones too
	bad       []int64 // which of them, counted from 0, ascending
	loaded    Loaded
}

// lines gives the rows of a source one by one.
type lines interface {
	// next gives the next row, io.EOF after the last. Its texts hold until the
	// next call.
	next() (line, error)
	// offset tells how many bytes of the source were read.
	offset() int64
	// part gives the rows of a piece of the same source, without a header.
	part(piece io.Reader) lines
}

// line is one row of a source.
type line struct {
	number int64 // of the line where it begins, from 1
	shape  *shape
	texts  []string // of the shape's columns
	bad    string   // why it can't be a row; then there are no texts
}

// open reads the source from its beginning.
func (l *load) open() (lines, error) {
	reader, err := l.source.rewind()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.attempted, err)
	}
	switch l.options.Format {
	case CSV, "":
		return newCSVLines(l.attempted, reader, l.family)
	case JSONLines:
		return newJSONLines(reader, l.family), nil
	}
	return nil, &failure.Error{Kind: failure.Invalid, Field: "format", Message: fmt.Sprintf("%s: no format %q", l.attempted, l.options.Format), Hint: "formats are csv and jsonl"}
}

// reportEvery is after how many rows a load looks up from its work.
const reportEvery = 1024

// check reads the whole source and notes which rows are bad.
func (l *load) check(ctx context.Context) error {
	rows, err := l.open()
	if err != nil {
		return err
	}
	for {
		if l.rows%reportEvery == 0 {
			if ctx.Err() != nil {
				return fmt.Errorf("%s: stopped before the first row was written: %w", l.attempted, ctx.Err())
			}
			l.report("check", rows)
		}
		start := rows.offset()
		next, err := rows.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", l.attempted, err)
		}
		if reason := l.problem(next, start, rows.offset()); reason != "" {
			l.refuse(next.number, reason)
		}
		l.rows++
	}
}

// problem says why a line, which lies between two offsets, can't be a row, or
// nothing.
func (l *load) problem(next line, start, end int64) string {
	if next.bad != "" {
		return next.bad
	}
	if problem := next.shape.problem(next.texts); problem != "" {
		return problem
	}
	if next.shape.key == nil || !l.family.UniqueKey() {
		return ""
	}
	l.key = next.shape.appendKey(l.key[:0], next.texts)
	if len(l.key) == 0 {
		return "" // the database numbers it
	}
	if first, again := l.seen.add(l.key, place{start, uint32(end - start), uint32(next.number)}); again {
		return fmt.Sprintf("has the key of line %d", first.line)
	}
	return ""
}

func (l *load) refuse(number int64, reason string) {
	l.loaded.Bad++
	l.bad = append(l.bad, l.rows)
	if len(l.loaded.Lines) < maxBadLines {
		l.loaded.Lines = append(l.loaded.Lines, BadLine{number, reason})
	}
}

func (l *load) report(phase string, rows lines) {
	if l.options.Progress != nil {
		l.options.Progress(phase, rows.offset(), l.source.size)
	}
}
