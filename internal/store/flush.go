package store

import (
	"context"
	"strconv"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
)

// Refusal is a write that SQL refuses, and why.
type Refusal struct {
	Write directory.Write
	Err   error
}

// Flush writes what Asterisk wrote, in order, in one transaction together with
// the position up to which a node's spool is then in SQL: a crash neither loses
// nor doubles a row. spool names the spool file's life. Writes that SQL refuses
// are given back; the rest goes on.
func (s *Store) Flush(ctx context.Context, spool string, writes []directory.Write, position int64) ([]Refusal, error) {
	err := s.flush(ctx, spool, position, func(w *Writer) error {
		for _, write := range writes {
			if err := w.apply(ctx, s, write); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || failure.KindOf(err) != failure.Refused {
		return nil, err
	}
	var refused []Refusal
	err = s.flush(ctx, spool, position, func(w *Writer) error {
		for _, write := range writes {
			one, err := w.attempt(ctx, s, write)
			if err != nil {
				return err
			}
			if one != nil {
				refused = append(refused, Refusal{write, one})
			}
		}
		return nil
	})
	return refused, err
}

func (s *Store) flush(ctx context.Context, spool string, position int64, apply func(*Writer) error) error {
	return s.Write(ctx, "flush the spool", func(w *Writer) error {
		if err := apply(w); err != nil {
			return err
		}
		return putMeta(ctx, w.tx, spoolPosition(spool), strconv.FormatInt(position, 10))
	})
}

// Flushed gives the position up to which a spool is in SQL.
func (s *Store) Flushed(ctx context.Context, spool string) (int64, error) {
	value, err := s.Meta(ctx, spoolPosition(spool))
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseInt(value, 10, 64)
}

func spoolPosition(spool string) string { return "spool:" + spool }

// attempt applies one write such that a refusal undoes just this one.
func (w *Writer) attempt(ctx context.Context, s *Store, write directory.Write) (refused, err error) {
	if _, err := w.tx.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return nil, classify(err, "flush the spool")
	}
	undo := "RELEASE one"
	applied := w.apply(ctx, s, write)
	if applied != nil {
		if failure.KindOf(applied) != failure.Refused && failure.KindOf(applied) != failure.Unknown {
			return nil, applied
		}
		undo = "ROLLBACK TO one; RELEASE one"
	}
	_, err = w.tx.ExecContext(ctx, undo)
	return applied, classify(err, "flush the spool")
}

// apply does one write of Asterisk in SQL.
func (w *Writer) apply(ctx context.Context, s *Store, write directory.Write) error {
	f, err := s.Family(write.Family)
	if err != nil {
		return err
	}
	texts := Texts(f, write.Values)
	key := directory.Encode(f, write.Key)
	switch write.Kind {
	case directory.Append:
		return w.insert(ctx, f, texts)
	case directory.Delete:
		_, err = w.DeleteKey(ctx, f, key)
		return err
	case directory.Change:
		_, err = w.ChangeKey(ctx, f, key, texts)
		return err
	}
	_, err = w.Put(ctx, f, texts)
	return err
}

// Texts gives decoded values in the form of SQL.
func Texts(f *family.Family, values []directory.Value) []Text {
	out := make([]Text, len(values))
	for i, v := range values {
		out[i] = Text{v.Column, f.ToSQL(v.Column, v.Values)}
	}
	return out
}
