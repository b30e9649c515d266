package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// source is what a load reads, twice.
type source struct {
	reader io.ReadSeeker
	start  int64
	size   int64    // bytes from start
	spool  *os.File // a temporary copy that is ours to close; nil without one
}

// openSource makes a source of a reader: a file is read from where it stands,
// anything that can't go back (a pipe) is copied into a temporary file first,
// which has no name any more, so that nothing is left of it whatever happens.
func openSource(ctx context.Context, from io.Reader) (*source, error) {
	if seeker, ok := from.(io.ReadSeeker); ok {
		if s, err := seekable(seeker); err == nil {
			return s, nil
		}
	}
	spool, err := os.CreateTemp("", "asterism-load-*")
	if err != nil {
		return nil, fmt.Errorf("copy the input to a temporary file: %w", err)
	}
	if err := os.Remove(spool.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("copy the input to a temporary file: %w", err), spool.Close())
	}
	if _, err := io.Copy(spool, untilDone{ctx, from}); err != nil {
		return nil, errors.Join(fmt.Errorf("copy the input to a temporary file: %w", err), spool.Close())
	}
	s, err := seekable(spool)
	if err != nil {
		return nil, errors.Join(err, spool.Close())
	}
	s.start, s.size, s.spool = 0, s.size+s.start, spool
	return s, nil
}

// seekable measures what can go back.
func seekable(from io.ReadSeeker) (*source, error) {
	start, err := from.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, fmt.Errorf("read the input: %w", err)
	}
	end, err := from.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("read the input: %w", err)
	}
	return &source{reader: from, start: start, size: end - start}, nil
}

// rewind gives the source from its beginning.
func (s *source) rewind() (io.Reader, error) {
	if _, err := s.reader.Seek(s.start, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the input again: %w", err)
	}
	return s.reader, nil
}

// piecewise gives the source as what can be read at any place, false when it
// can't.
func (s *source) piecewise() (io.ReaderAt, bool) {
	at, ok := s.reader.(io.ReaderAt)
	return at, ok
}

func (s *source) close() {
	if s.spool != nil {
		_ = s.spool.Close() // it has no name: closing it deletes it
	}
}

// untilDone reads until the context ends.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

// Read implements io.Reader.
func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(p)
}
