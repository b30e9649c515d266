package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// Journal is the file of a node's spool: what Asterisk wrote and SQL does not
// hold yet, and what SQL refused. It is a SQLite file of its own, so that a bulk
// load holding the store's write lock delays no registration.
type Journal struct {
	db     *sql.DB // appends
	upkeep *sql.DB // forgets and checkpoints, so that an append waits for its own fsync only
	path   string
	life   string
}

const journalSchema = `
CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS refused (id INTEGER PRIMARY KEY, family TEXT NOT NULL, row_key TEXT NOT NULL, body TEXT NOT NULL, error TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS life (name TEXT NOT NULL)`

// OpenJournal opens or creates the file.
func OpenJournal(ctx context.Context, path string) (*Journal, error) {
	if err := createPrivate(path); err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	db, err := open(path, true, noCheckpoint)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	upkeep, err := open(path, true, noCheckpoint)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	upkeep.SetMaxOpenConns(1)
	j := &Journal{db: db, upkeep: upkeep, path: path}
	if err := j.prepare(ctx); err != nil {
		return nil, errors.Join(classify(err, "open "+path), j.Close())
	}
	return j, nil
}

// prepare makes the tables and reads, or invents, the name of the file's life:
// positions noted in the store count for this file only.
func (j *Journal) prepare(ctx context.Context) error {
	if _, err := j.db.ExecContext(ctx, journalSchema); err != nil {
		return err
	}
	err := j.db.QueryRowContext(ctx, "SELECT name FROM life").Scan(&j.life)
	if errors.Is(err, sql.ErrNoRows) {
		j.life = rand.Text()[:16]
		_, err = j.db.ExecContext(ctx, "INSERT INTO life (name) VALUES (?)", j.life)
	}
	return err
}

// Life names this file among all that ever lay at its path.
func (j *Journal) Life() string { return j.life }

// Append makes entries durable: it returns after the disk has them.
func (j *Journal) Append(ctx context.Context, writes []directory.Write) error {
	return j.write(ctx, "spool to "+j.path, func(tx *sql.Tx) error { return putEntries(ctx, tx, writes) })
}

// write runs a function in one transaction.
func (j *Journal) write(ctx context.Context, attempted string, do func(*sql.Tx) error) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return classify(err, attempted)
	}
	defer func() { _ = tx.Rollback() }() // after Commit a no-op
	if err := do(tx); err != nil {
		return classify(err, attempted)
	}
	return classify(tx.Commit(), attempted)
}

func putEntries(ctx context.Context, tx *sql.Tx, writes []directory.Write) error {
	for _, w := range writes {
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO entries (id, body) VALUES (?, ?)", w.ID, string(appendEntry(nil, w))); err != nil {
			return err
		}
	}
	return nil
}

// Entries gives the entries after a position, oldest first.
func (j *Journal) Entries(ctx context.Context, after int64) ([]directory.Write, error) {
	return j.read(ctx, "SELECT id, body FROM entries WHERE id > ? ORDER BY id", after)
}

// Refused gives the writes that SQL refused, oldest first.
func (j *Journal) Refused(ctx context.Context) ([]directory.Write, error) {
	return j.read(ctx, "SELECT id, body FROM refused WHERE id > ? ORDER BY id", -1)
}

func (j *Journal) read(ctx context.Context, text string, after int64) ([]directory.Write, error) {
	rows, err := j.db.QueryContext(ctx, text, after)
	if err != nil {
		return nil, classify(err, "read "+j.path)
	}
	defer rows.Close()
	var out []directory.Write
	for rows.Next() {
		var id int64
		var body string
		if err := rows.Scan(&id, &body); err != nil {
			return nil, classify(err, "read "+j.path)
		}
		w, err := parseEntry(body)
		if err != nil {
			return nil, fmt.Errorf("read entry %d of %s: %w", id, j.path, err)
		}
		w.ID = id
		out = append(out, w)
	}
	return out, classify(rows.Err(), "read "+j.path)
}

// Last gives the highest entry number that the file has seen.
func (j *Journal) Last(ctx context.Context) (last int64, err error) {
	err = j.db.QueryRowContext(ctx, "SELECT max(coalesce((SELECT max(id) FROM entries), 0), coalesce((SELECT max(id) FROM refused), 0))").Scan(&last)
	return last, classify(err, "read "+j.path)
}

// Refuse sets writes aside with the errors that SQL gave.
func (j *Journal) Refuse(ctx context.Context, refusals []Refusal) error {
	return j.write(ctx, "set a write aside in "+j.path, func(tx *sql.Tx) error {
		for _, r := range refusals {
			key := string(family.AppendKey(nil, r.Write.Key...))
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO refused (id, family, row_key, body, error) VALUES (?, ?, ?, ?, ?)",
				r.Write.ID, r.Write.Family, key, string(appendEntry(nil, r.Write)), r.Err.Error()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Retry takes refused writes, by their numbers, back among the entries, as the
// given writes.
func (j *Journal) Retry(ctx context.Context, refused []int64, writes []directory.Write) error {
	return j.write(ctx, "take refused writes back in "+j.path, func(tx *sql.Tx) error {
		for _, id := range refused {
			if _, err := tx.ExecContext(ctx, "DELETE FROM refused WHERE id = ?", id); err != nil {
				return err
			}
		}
		return putEntries(ctx, tx, writes)
	})
}

// LimitPages bounds the file's size in pages of 4096 bytes, for the test of a
// full disk.
func (j *Journal) LimitPages(ctx context.Context, pages int) error {
	_, err := j.db.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return classify(err, "limit "+j.path)
}

// Close closes the file.
func (j *Journal) Close() error { return errors.Join(j.db.Close(), j.upkeep.Close()) }

// RefusedRow is a row that SQL refused, and why.
type RefusedRow struct {
	Family string
	Key    []string
	Error  string
}

// refusedListed bounds a listing of refused rows.
const refusedListed = 1000

// RefusedRows lists the rows that SQL refused, oldest first.
func (j *Journal) RefusedRows(ctx context.Context) ([]RefusedRow, error) {
	rows, err := j.db.QueryContext(ctx, "SELECT family, row_key, error FROM refused ORDER BY id LIMIT ?", refusedListed)
	if err != nil {
		return nil, classify(err, "read "+j.path)
	}
	defer rows.Close()
	var out []RefusedRow
	for rows.Next() {
		var r RefusedRow
		var key string
		if err := rows.Scan(&r.Family, &key, &r.Error); err != nil {
			return nil, classify(err, "read "+j.path)
		}
		if r.Key, err = family.SplitKey(key); err != nil {
			return nil, fmt.Errorf("read a refused row of %s: %w", j.path, err)
		}
		out = append(out, r)
	}
	return out, classify(rows.Err(), "read "+j.path)
}
