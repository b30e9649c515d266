package server

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"asterism/internal/config"
)

// outsider is another program with the store's database open: a billing portal,
// Asterisk's own ODBC driver, an operator with a tool.
type outsider struct {
	t  testing.TB
	db *sql.DB
}

func outside(t testing.TB, cfg config.Config) *outsider {
	t.Helper()
	path := strings.TrimPrefix(cfg.Store.URL, "sqlite:")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(2) // one may hold a lock
	t.Cleanup(func() { _ = db.Close() })
	return &outsider{t, db}
}

func (o *outsider) exec(statement string, arguments ...any) {
	o.t.Helper()
	if _, err := o.db.Exec(statement, arguments...); err != nil {
		o.t.Fatalf("%s: %v", statement, err)
	}
}

// text gives the first column of the first row, "" when there is no row.
func (o *outsider) text(query string, arguments ...any) string {
	o.t.Helper()
	var out sql.NullString
	if err := o.db.QueryRow(query, arguments...).Scan(&out); err != nil && err != sql.ErrNoRows {
		o.t.Fatalf("%s: %v", query, err)
	}
	return out.String
}

// lock takes the database's write lock until release is called or the test ends.
func (o *outsider) lock() (release func()) {
	o.t.Helper()
	connection, err := o.db.Conn(context.Background())
	if err != nil {
		o.t.Fatal(err)
	}
	if _, err := connection.ExecContext(context.Background(), "BEGIN EXCLUSIVE"); err != nil {
		o.t.Fatal(err)
	}
	released := false
	release = func() {
		if released {
			return
		}
		released = true
		if _, err := connection.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			o.t.Errorf("release the lock: %v", err)
		}
		_ = connection.Close()
	}
	o.t.Cleanup(release)
	return release
}

// seeded runs a node on a store in which an outsider wrote first.
func seeded(t testing.TB, statements ...string) (*serving, *outsider) {
	t.Helper()
	cfg := testConfig(t)
	o := outside(t, cfg)
	for _, statement := range statements {
		o.exec(statement)
	}
	return start(t, cfg), o
}

// soon waits until something holds.
func soon(t testing.TB, what string, holds func() bool) {
	t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	end := time.NewTimer(patience)
	defer end.Stop()
	for !holds() {
		select {
		case <-look.C:
		case <-end.C:
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
