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

// Flush is what Asterisk wrote, in order, on its way from a node's spool to SQL.
type Flush struct {
	Spool    string // life of the spool's file
	Writes   []directory.Write
	Position int64 // up to which the spool is in SQL then

	// SetAside is given the writes that SQL refuses, before the others are
	// committed: a crash in between loses none. It may be called again when the
	// commit did not succeed.
	SetAside func([]Refusal)
}

// Flush writes in one transaction together with the position: a crash neither
// loses nor doubles a row. Writes that SQL refuses are set aside; the rest goes on.
func (s *Store) Flush(ctx context.Context, f Flush) error {
	err := s.flush(ctx, f, func(w *Writer) error {
		for _, write := range f.Writes {
			if err := w.apply(ctx, s, write); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || !refuses(err) {
		return err
	}
	return s.flush(ctx, f, func(w *Writer) error {
		var refused []Refusal
		for _, write := range f.Writes {
			one, err := w.attempt(ctx, s, write)
			if err != nil {
				return err
			}
			if one != nil {
				refused = append(refused, Refusal{write, one})
			}
		}
		if len(refused) > 0 {
			f.SetAside(refused)
		}
		return nil
	})
}

// refuses tells whether an error is about a write itself: a family that is gone
// takes no row either.
func refuses(err error) bool {
	kind := failure.KindOf(err)
	return kind == failure.Refused || kind == failure.Unknown
}

func (s *Store) flush(ctx context.Context, f Flush, apply func(*Writer) error) error {
	return s.Write(ctx, "flush the spool", func(w *Writer) error {
		if err := apply(w); err != nil {
			return err
		}
		return putMeta(ctx, w.tx, spoolPosition(f.Spool), strconv.FormatInt(f.Position, 10))
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
		if !refuses(applied) {
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
