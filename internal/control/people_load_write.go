package control

import (
	"context"
	"errors"
	"fmt"
	"io"

	"asterism/internal/failure"
	"asterism/internal/store"
)

// batch is the rows of one shape that wait for their transaction. Its slices
// are used again after it is written.
type batch struct {
	shape       *shape
	rows        [][]string
	count       int
	first, last int64 // lines
}

func (b *batch) add(next line) {
	if b.count == len(b.rows) {
		b.rows = append(b.rows, make([]string, len(next.texts)))
	}
	copy(b.rows[b.count], next.texts)
	if b.count == 0 {
		b.first = next.number
	}
	b.last = next.number
	b.count++
}

// batches are those that wait side by side; only JSON lines have more than one.
type batches []*batch

// maxBatches bounds them.
const maxBatches = 16

// of finds the batch of a shape, or nil.
func (b batches) of(s *shape) *batch {
	for _, one := range b {
		if one.shape == s {
			return one
		}
	}
	return nil
}

// write writes the rows that check found good.
func (l *load) write(ctx context.Context) error {
	rows, err := l.good()
	if err != nil {
		return err
	}
	var waiting batches
	count, wanted := int64(0), l.rows-l.loaded.Bad
	for ; ; count++ {
		next, err := rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return l.cutOff(err)
		}
		if count == wanted || next.bad != "" {
			return l.changed()
		}
		if err := l.put(ctx, &waiting, next); err != nil {
			return err
		}
		if count%reportEvery == 0 {
			l.report("load", rows)
		}
	}
	if count != wanted {
		return l.changed()
	}
	l.report("load", rows)
	return l.flushAll(ctx, waiting)
}

// put adds a row to the batch of its shape and writes what is full.
func (l *load) put(ctx context.Context, waiting *batches, next line) error {
	b := waiting.of(next.shape)
	if b == nil {
		if len(*waiting) == maxBatches {
			if err := l.flushAll(ctx, *waiting); err != nil {
				return err
			}
			*waiting = nil
		}
		b = &batch{shape: next.shape}
		*waiting = append(*waiting, b)
	}
	b.add(next)
	if b.count < store.BulkRows {
		return nil
	}
	return l.flush(ctx, b)
}

func (l *load) flushAll(ctx context.Context, waiting batches) error {
	for _, b := range waiting {
		if err := l.flush(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

func (l *load) flush(ctx context.Context, b *batch) error {
	if b.count == 0 {
		return nil
	}
	err := l.store.Load(ctx, l.family, b.shape.names, b.rows[:b.count])
	if err != nil {
		if failure.KindOf(err) == failure.Refused {
			err = fmt.Errorf("a row in lines %d to %d: %w", b.first, b.last, err)
		}
		return l.cutOff(err)
	}
	l.loaded.Rows += int64(b.count)
	b.count = 0
	return nil
}

// cutOff says how far a load came before something stopped it.
func (l *load) cutOff(cause error) error {
	return &failure.Error{
		Kind:    failure.KindOf(cause),
		Message: fmt.Sprintf("%s: stopped after %d of %d rows", l.attempted, l.loaded.Rows, l.rows-l.loaded.Bad),
		Hint:    "what is loaded stays; mend the cause and run the load again as a whole",
		Cause:   cause,
	}
}

func (l *load) changed() error {
	return l.cutOff(errors.New("the file changed while it was read"))
}
