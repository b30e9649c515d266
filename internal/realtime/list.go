package realtime

import (
	"bytes"
	"io"
	"iter"
	"net/http"

	"asterism/internal/directory"
)

const (
	streamedFrom = 64 << 10 // length from which an answer is streamed from the rows
	pageLength   = 64 << 10 // of one write of a stream
	chunkRows    = 512
)

// list answers multi. A long answer is written from the directory's own memory:
// of all rows of a table nothing is kept, of others 16 bytes each.
func (x *exchange) list(dst []byte, query directory.Query) Response {
	if length, rows, ok := x.table.Whole(query); ok && length > streamedFrom {
		if query.Quick {
			return Response{Slow: true, Body: dst}
		}
		x.note(directory.Result{Rows: x.table.Count()})
		x.seen.all = rows
		return x.stream(dst, length, nil, rows)
	}
	before, length := len(dst), 0
	var rest rowList
	traced := x.traced()
	result := x.table.Find(query, func(r directory.Row) bool {
		if traced {
			x.seen.rows = append(x.seen.rows, r)
		}
		curl := r.Curl()
		if length += len(curl) + 1; length <= streamedFrom {
			dst = append(append(dst, curl...), '\n')
		} else {
			rest.add(r)
		}
		return true
	})
	if result.Slow || query.Quick && rest.chunks != nil {
		return Response{Slow: true, Body: dst[:before]}
	}
	x.note(result)
	if rest.chunks == nil {
		return Response{Status: http.StatusOK, Body: dst}
	}
	return x.stream(dst[:before], length, bytes.Clone(dst[before:]), rest.each)
}

// stream gives an answer that begins with head and goes on with rows.
func (x *exchange) stream(dst []byte, length int, head []byte, rows iter.Seq[directory.Row]) Response {
	pages := &x.door.pages
	return Response{Status: http.StatusOK, Body: dst, Length: length, Stream: func(w io.Writer) error {
		page, ok := pages.Get().(*[]byte)
		if !ok {
			page = new(make([]byte, 0, pageLength))
		}
		defer pages.Put(page)
		*page = append((*page)[:0], head...)
		for r := range rows {
			curl := r.Curl()
			if len(*page)+len(curl) >= pageLength {
				if _, err := w.Write(*page); err != nil {
					return err
				}
				*page = (*page)[:0]
			}
			*page = append(append(*page, curl...), '\n')
		}
		_, err := w.Write(*page)
		return err
	}}
}

// rowList keeps rows in chunks, so that it grows without copying.
type rowList struct{ chunks [][]directory.Row }

func (l *rowList) add(r directory.Row) {
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last]) == chunkRows {
		l.chunks = append(l.chunks, make([]directory.Row, 0, chunkRows))
		last++
	}
	l.chunks[last] = append(l.chunks[last], r)
}

func (l *rowList) each(yield func(directory.Row) bool) {
	for _, chunk := range l.chunks {
		for _, r := range chunk {
			if !yield(r) {
				return
			}
		}
	}
}
