package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"asterism/internal/failure"
	"asterism/internal/family"
)

// CheckURL tells whether there is an engine for a store URL.
func CheckURL(storeURL string) error {
	_, err := sqlitePath(storeURL)
	return err
}

// sqlitePath gives the file of a store URL.
func sqlitePath(storeURL string) (string, error) {
	path, ok := strings.CutPrefix(storeURL, "sqlite:")
	if !ok {
		scheme, _, _ := strings.Cut(storeURL, ":")
		return "", &failure.Error{
			Kind: failure.Invalid, Field: "store.url", Message: "no engine for " + scheme + ": stores yet",
			Hint: "write store.url = \"sqlite:/var/lib/asterism/asterism.db\"",
		}
	}
	return path, nil
}

// createPrivate makes the file unless it is there, readable by its owner only: it
// holds passwords of phones. SQLite gives its companions the same mode. A file
// that is there is not even opened: closing it would drop this process's locks.
func createPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// busyMilliseconds is how long a connection waits for a lock.
const busyMilliseconds = 10000

// sqliteDSN gives the data source of a file with the pragmas of a connection.
func sqliteDSN(path string, immediate bool, pragmas ...string) string {
	query := url.Values{}
	for _, pragma := range append([]string{"journal_mode(WAL)", fmt.Sprintf("busy_timeout(%d)", busyMilliseconds), "synchronous(FULL)"}, pragmas...) {
		query.Add("_pragma", pragma)
	}
	if immediate {
		query.Set("_txlock", "immediate")
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + query.Encode()
}

// connections are those to one database file.
type connections struct {
	writes, reads *sql.DB
	file, wal     fileIdentity // that they were opened on
}

// open makes a pool of connections. Commits use fdatasync: overwriting a
// write-ahead log in place then needs no commit of the file system's own journal,
// which else makes registrations wait for a bulk load beside them.
func open(path string, immediate bool, pragmas ...string) (*sql.DB, error) {
	if _, err := sqlite.Fdatasync(true); err != nil && !errors.Is(err, sqlite.ErrFdatasyncUnavailable) {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	pool, err := sql.Open("sqlite", sqliteDSN(path, immediate, pragmas...))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return pool, nil
}

func connect(path string) (*connections, error) {
	file, err := identify(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	writes, err := open(path, true)
	if err != nil {
		return nil, err
	}
	writes.SetMaxOpenConns(1)
	reads, err := open(path, false, "query_only(1)", "cache_size(-16000)")
	if err != nil {
		return nil, errors.Join(err, writes.Close())
	}
	reads.SetMaxOpenConns(4)
	reads.SetMaxIdleConns(4)
	return &connections{writes: writes, reads: reads, file: file}, nil
}

// noteWAL notes which write-ahead log the connections use; the schema, at least,
// has been read by then. A file system may allow none.
func (c *connections) noteWAL(path string) { c.wal, _ = identify(path + walSuffix) }

func (c *connections) close() error { return errors.Join(c.writes.Close(), c.reads.Close()) }

// Companions of a SQLite file.
const (
	walSuffix = "-wal"
	shmSuffix = "-shm"
)

// fileIdentity tells a database file from a copy of it put in its place.
type fileIdentity struct{ device, inode uint64 }

func identify(path string) (fileIdentity, error) {
	var stat syscall.Stat_t
	if err := syscall.Stat(path, &stat); err != nil {
		return fileIdentity{}, err
	}
	return fileIdentity{uint64(stat.Dev), stat.Ino}, nil
}

// Replaced tells whether another file lies at the store's path than the one
// that is open.
func (s *Store) Replaced() bool {
	now, err := identify(s.path)
	return err == nil && now != s.open.Load().file
}

// inPlace tells, by an error, when the file that the connections write to lies no
// more at the store's path: what they commit would be lost with it.
func (c *connections) inPlace(path, attempted string) error {
	now, err := identify(path)
	if err == nil && now != c.file {
		err = errors.New("another database file lies in its place")
	}
	if err != nil {
		return &failure.Error{Kind: failure.Unavailable, Message: attempted, Cause: err}
	}
	return nil
}

// tableColumns reads a table's columns and its primary key; none when there is
// no such table.
func (s *Store) tableColumns(ctx context.Context, table string) (columns []family.Column, primary []string, err error) {
	rows, err := s.reads().QueryContext(ctx, `SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid`, table)
	if err != nil {
		return nil, nil, fmt.Errorf("read the columns of %s: %w", table, err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, kind string
		var required bool
		var place int
		if err := rows.Scan(&name, &kind, &required, &place); err != nil {
			return nil, nil, fmt.Errorf("read the columns of %s: %w", table, err)
		}
		columns = append(columns, family.Column{Name: name, Kind: kindOf(kind), Required: required})
		if place > 0 {
			primary = append(primary, name)
		}
	}
	return columns, primary, rows.Err()
}

func kindOf(declared string) family.Kind {
	declared = strings.ToUpper(declared)
	switch {
	case strings.Contains(declared, "INT"):
		return family.Integer
	case strings.Contains(declared, "REAL"), strings.Contains(declared, "FLOA"), strings.Contains(declared, "DOUB"), strings.Contains(declared, "NUMERIC"), strings.Contains(declared, "DECIMAL"):
		return family.Float
	case strings.Contains(declared, "DATE"), strings.Contains(declared, "TIME"):
		return family.Time
	}
	return family.Text
}

// asText gives the SQL expression of a column's text. The cast also keeps the
// driver from turning dates into times.
func asText(c family.Column) string {
	if c.Kind == family.Text || c.Kind == family.Enum || c.Kind == family.YesNo {
		return quote(c.Name)
	}
	return "CAST(" + quote(c.Name) + " AS TEXT)"
}

// classify gives an error of the engine its kind.
func classify(err error, attempted string) error {
	if err == nil {
		return nil
	}
	var e interface{ Code() int } // the driver's error or the scanner's
	if !errors.As(err, &e) {
		return &failure.Error{Kind: failure.Unavailable, Message: attempted, Cause: err}
	}
	switch e.Code() & 0xFF {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_RANGE, sqlite3.SQLITE_ERROR:
		return &failure.Error{Kind: failure.Refused, Message: attempted, Cause: err}
	case sqlite3.SQLITE_FULL:
		return &failure.Error{Kind: failure.Full, Message: attempted, Hint: "free space on the disk of the database", Cause: err}
	}
	return &failure.Error{Kind: failure.Unavailable, Message: attempted, Cause: err}
}

// Reconnect opens what lies at the store's path now, in place of a file that was
// replaced. When it fails the store can't be asked until it is called again.
func (s *Store) Reconnect(ctx context.Context) error {
	old := s.open.Load()
	if err := old.close(); err != nil {
		return classify(err, "leave the former "+s.path)
	}
	if wal, err := identify(s.path + walSuffix); err == nil && wal == old.wal {
		// It went with the former file; SQLite would play it over the new one.
		for _, left := range []string{s.path + walSuffix, s.path + shmSuffix} {
			if err := os.Remove(left); err != nil && !errors.Is(err, os.ErrNotExist) {
				return classify(err, "clear what the former "+s.path+" left")
			}
		}
	}
	fresh, err := connect(s.path)
	if err != nil {
		return err
	}
	s.open.Store(fresh)
	return s.ready(ctx)
}
