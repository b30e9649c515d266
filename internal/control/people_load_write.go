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

// maxBatches bounds the shapes that wait side by side; only JSON lines have more
// than one.
const maxBatches = 16

// write writes the rows that check found good.
func (l *load) write(ctx context.Context) error {
	rows, err := l.open()
	if err != nil {
		return err
	}
	batches := make(map[*shape]*batch)
	at := int64(0)
	for bad := l.bad; ; at++ {
		next, err := rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return l.cutOff(err)
		}
		if len(bad) > 0 && bad[0] == at {
			bad = bad[1:]
			continue
		}
		if at >= l.rows || next.bad != "" {
			return l.changed()
		}
		if err := l.put(ctx, batches, next); err != nil {
			return err
		}
		if at%reportEvery == 0 {
			l.report("load", rows)
		}
	}
	if at != l.rows {
		return l.changed()
	}
	l.report("load", rows)
	return l.flushAll(ctx, batches)
}

// put adds a row to the batch of its shape and writes what is full.
func (l *load) put(ctx context.Context, batches map[*shape]*batch, next line) error {
	b := batches[next.shape]
	if b == nil {
		if len(batches) == maxBatches {
			if err := l.flushAll(ctx, batches); err != nil {
				return err
			}
			clear(batches)
		}
		b = &batch{shape: next.shape}
		batches[next.shape] = b
	}
	b.add(next)
	if b.count < store.BulkRows {
		return nil
	}
	return l.flush(ctx, b)
}

func (l *load) flushAll(ctx context.Context, batches map[*shape]*batch) error {
	for _, b := range batches {
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
