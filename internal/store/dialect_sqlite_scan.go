package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// scanner is a connection of its own that only reads, past database/sql: that
// copies each value twice and takes a lock six times for it, which is more than
// SQLite's own work, and a start consists of little else (docs/bench.md). It is
// for one goroutine at a time.
type scanner struct {
	tls *libc.TLS
	db  uintptr
}

func openScanner(path string) (*scanner, error) {
	s := &scanner{tls: libc.NewTLS()}
	name, err := libc.CString(path)
	if err != nil {
		return nil, s.abandon(err)
	}
	defer libc.Xfree(s.tls, name)
	place := libc.Xmalloc(s.tls, libc.Tsize_t(unsafe.Sizeof(s.db)))
	defer libc.Xfree(s.tls, place)
	code := sqlite3.Xsqlite3_open_v2(s.tls, name, place, sqlite3.SQLITE_OPEN_READWRITE|sqlite3.SQLITE_OPEN_NOMUTEX, 0)
	s.db = *(*uintptr)(pointer(place))
	if code != sqlite3.SQLITE_OK {
		return nil, s.abandon(s.failure(code))
	}
	sqlite3.Xsqlite3_busy_timeout(s.tls, s.db, busyMilliseconds)
	if err := s.query(context.Background(), "BEGIN", nil); err != nil { // it gives no row
		return nil, s.abandon(err)
	}
	return s, nil
}

func (s *scanner) abandon(err error) error {
	s.close()
	return err
}

func (s *scanner) close() {
	if s.db != 0 {
		sqlite3.Xsqlite3_close_v2(s.tls, s.db) // ends the transaction, which only read
	}
	s.tls.Close()
	s.db, s.tls = 0, nil
}

// rowsPerLook is how many rows pass between two looks at the context.
const rowsPerLook = 1024

// query runs a statement and gives each row as texts, nil for NULL. They hold
// until the next row.
func (s *scanner) query(ctx context.Context, text string, row func([]sql.RawBytes) error) error {
	statement, err := s.prepare(text)
	if err != nil {
		return err
	}
	defer sqlite3.Xsqlite3_finalize(s.tls, statement)
	texts := make([]sql.RawBytes, sqlite3.Xsqlite3_column_count(s.tls, statement))
	for n := 0; ; n++ {
		if n%rowsPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch code := sqlite3.Xsqlite3_step(s.tls, statement); code {
		case sqlite3.SQLITE_ROW:
		case sqlite3.SQLITE_DONE:
			return nil
		default:
			return s.failure(code)
		}
		for i := range texts {
			texts[i] = s.column(statement, int32(i))
		}
		if err := row(texts); err != nil {
			return err
		}
	}
}

func (s *scanner) prepare(text string) (statement uintptr, err error) {
	source, err := libc.CString(text)
	if err != nil {
		return 0, err
	}
	defer libc.Xfree(s.tls, source)
	place := libc.Xmalloc(s.tls, libc.Tsize_t(unsafe.Sizeof(statement)))
	defer libc.Xfree(s.tls, place)
	if code := sqlite3.Xsqlite3_prepare_v2(s.tls, s.db, source, -1, place, 0); code != sqlite3.SQLITE_OK {
		return 0, s.failure(code)
	}
	return *(*uintptr)(pointer(place)), nil
}

// column gives a value of the current row in SQLite's own memory.
func (s *scanner) column(statement uintptr, i int32) sql.RawBytes {
	text := sqlite3.Xsqlite3_column_text(s.tls, statement, i)
	if text == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(pointer(text)), sqlite3.Xsqlite3_column_bytes(s.tls, statement, i))
}

// pointer makes a pointer of an address in memory of SQLite's, which the garbage
// collector neither moves nor frees.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// scanError is what SQLite says of a failure.
type scanError struct {
	code int
	text string
}

func (e *scanError) Error() string { return fmt.Sprintf("%s (%d)", e.text, e.code) }

// Code is the result code, as that of the driver's errors.
func (e *scanError) Code() int { return e.code }

func (s *scanner) failure(code int32) error {
	if s.db == 0 {
		return errors.New("out of memory")
	}
	return &scanError{int(code), libc.GoString(sqlite3.Xsqlite3_errmsg(s.tls, s.db))}
}
