package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"asterism/internal/family"
)

// Change is one entry of the change log.
type Change struct {
	Seq    int64
	Family string
	Key    string // JSON array of the key columns' text
	At     int64  // milliseconds since 1970
}

// Reader is one read transaction: everything it gives is of one moment.
type Reader struct{ tx *sql.Tx }

// Read begins a read transaction.
func (s *Store) Read(ctx context.Context) (*Reader, error) {
	tx, err := s.reads().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, classify(err, "read "+s.path)
	}
	return &Reader{tx}, nil
}

// Close ends the transaction.
func (r *Reader) Close() { _ = r.tx.Rollback() } // nothing to keep: it only read

// newestSQL gives the number of the change log's newest entry, pruned or not.
const newestSQL = `SELECT max(coalesce((SELECT max(seq) FROM asterism_changes), 0), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'asterism_changes'), 0))`

// Position gives the newest entry's number and the number up to which entries
// were pruned; both 0 in a new store.
func (r *Reader) Position(ctx context.Context) (newest, pruned int64, err error) {
	err = r.tx.QueryRowContext(ctx, newestSQL+`, coalesce((SELECT CAST(value AS INTEGER) FROM asterism_meta WHERE name = 'pruned_to'), 0)`).Scan(&newest, &pruned)
	return newest, pruned, classify(err, "read the change log")
}

// Changes gives the entries after a number, oldest first, at most limit.
func (r *Reader) Changes(ctx context.Context, after int64, limit int) ([]Change, error) {
	rows, err := r.tx.QueryContext(ctx, "SELECT seq, family, row_key, at FROM asterism_changes WHERE seq > ? ORDER BY seq LIMIT ?", after, limit)
	if err != nil {
		return nil, classify(err, "read the change log")
	}
	defer rows.Close()
	var out []Change
	for rows.Next() {
		var c Change
		if err := rows.Scan(&c.Seq, &c.Family, &c.Key, &c.At); err != nil {
			return nil, classify(err, "read the change log")
		}
		out = append(out, c)
	}
	return out, classify(rows.Err(), "read the change log")
}

// Pending counts the entries after a number, by family.
func (r *Reader) Pending(ctx context.Context, after int64) (map[string]int64, error) {
	rows, err := r.tx.QueryContext(ctx, "SELECT family, count(*) FROM asterism_changes WHERE seq > ? GROUP BY family", after)
	if err != nil {
		return nil, classify(err, "read the change log")
	}
	defer rows.Close()
	out := make(map[string]int64)
	for rows.Next() {
		var name string
		var entries int64
		if err := rows.Scan(&name, &entries); err != nil {
			return nil, classify(err, "read the change log")
		}
		out[name] = entries
	}
	return out, classify(rows.Err(), "read the change log")
}

// Where reads the rows of a family whose columns have just these texts.
func (r *Reader) Where(ctx context.Context, f *family.Family, columns []string, texts []string, into Rows) error {
	parts := make([]string, len(columns))
	arguments := make([]any, 0, len(columns))
	for i, name := range columns {
		parts[i] = equalSQL(f, name, texts[i], &arguments)
	}
	return r.query(ctx, f, f.Columns, strings.Join(parts, " AND "), arguments, into)
}

// equalSQL compares a column of a family with a text. The empty text also stands
// for NULL, where the column may be NULL: with an OR in it no index serves the
// statement (numbers of the shared tenant, whose name is empty, would be a scan each).
func equalSQL(f *family.Family, name, text string, arguments *[]any) string {
	if c, known := column(f, name); text == "" && !(known && c.Required) {
		return fmt.Sprintf("(%s = '' OR %s IS NULL)", quote(name), quote(name))
	}
	*arguments = append(*arguments, text)
	return quote(name) + " = ?"
}

// keysAtOnce bounds the buckets read by one statement.
const keysAtOnce = 100

// Buckets reads the rows of several keys (texts as SQL holds them).
func (r *Reader) Buckets(ctx context.Context, f *family.Family, keys [][]string, into Rows) error {
	if len(f.Key) == 0 {
		return r.query(ctx, f, f.Columns, "", nil, into)
	}
	for len(keys) > 0 {
		n := min(len(keys), keysAtOnce)
		where, arguments := keysWhere(f, keys[:n])
		if err := r.query(ctx, f, f.Columns, where, arguments, into); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// keysWhere finds the rows of several keys. Keys of one column go into one list:
// SQLite plans each term of an OR by itself, and that costs more than the rows.
func keysWhere(f *family.Family, keys [][]string) (where string, arguments []any) {
	var parts []string
	var listed []any
	for _, key := range keys {
		if len(key) == 1 && key[0] != "" {
			listed = append(listed, key[0])
			continue
		}
		one, of := keyWhere(f, key)
		parts = append(parts, "("+one+")")
		arguments = append(arguments, of...)
	}
	if len(listed) > 0 {
		parts = append(parts, quote(f.Key[0])+" IN ("+marks(len(listed))+")")
	}
	return strings.Join(parts, " OR "), append(arguments, listed...)
}

func (r *Reader) query(ctx context.Context, f *family.Family, columns []family.Column, where string, arguments []any, into Rows) error {
	attempted := "read " + f.Name
	extras, err := r.extras(ctx, f.Name)
	if err != nil {
		return err
	}
	names := make([]string, len(columns))
	expressions := make([]string, len(columns))
	for i, c := range columns {
		names[i], expressions[i] = c.Name, asText(c)
	}
	key := "''"
	if len(extras) > 0 {
		key = keySQL(f, quote(f.Name))
	}
	text := "SELECT " + strings.Join(expressions, ", ") + ", " + key + " FROM " + quote(f.Name)
	if where != "" {
		text += " WHERE " + where
	}
	rows, err := r.tx.QueryContext(ctx, text, arguments...)
	if err != nil {
		return classify(err, attempted)
	}
	defer rows.Close()
	into.Columns(names)
	texts := make([]sql.RawBytes, len(names)+1)
	targets := make([]any, len(texts))
	for i := range texts {
		targets[i] = &texts[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return classify(err, attempted)
		}
		if err := into.Row(texts[:len(names)], extras[string(texts[len(names)])]); err != nil {
			return err
		}
	}
	return classify(rows.Err(), attempted)
}

// extras are values beyond a table's columns: row key, column, value. Mostly
// there are none; a family with many pays for them at each read, which is the hint
// to add the column to the table.
type extras map[string]map[string]string

// extrasSQL reads those of the family whose name follows.
const extrasSQL = "SELECT row_key, col, coalesce(value, '') FROM asterism_extra WHERE family = "

func (e *extras) add(key, column, value string) {
	if *e == nil {
		*e = make(extras)
	}
	if (*e)[key] == nil {
		(*e)[key] = make(map[string]string)
	}
	(*e)[key][column] = value
}

func (r *Reader) extras(ctx context.Context, name string) (extras, error) {
	rows, err := r.tx.QueryContext(ctx, extrasSQL+"?", name)
	if err != nil {
		return nil, classify(err, "read the extra values of "+name)
	}
	defer rows.Close()
	var out extras
	for rows.Next() {
		var key, column, value string
		if err := rows.Scan(&key, &column, &value); err != nil {
			return nil, classify(err, "read the extra values of "+name)
		}
		out.add(key, column, value)
	}
	return out, classify(rows.Err(), "read the extra values of "+name)
}
