package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
)

// Text is the new content of a column, in the form of SQL; "" clears it.
type Text struct{ Column, Text string }

// Writer is one write transaction.
type Writer struct {
	tx       *sql.Tx
	prepared map[string]*sql.Stmt // they end with the transaction
}

// exec runs a statement that is likely to come again with other arguments: SQLite
// compiles a table's triggers into it, which costs more than to run it.
func (w *Writer) exec(ctx context.Context, text string, arguments ...any) (sql.Result, error) {
	statement := w.prepared[text]
	if statement == nil {
		var err error
		if statement, err = w.tx.PrepareContext(ctx, text); err != nil {
			return nil, err
		}
		if w.prepared == nil {
			w.prepared = make(map[string]*sql.Stmt)
		}
		w.prepared[text] = statement
	}
	return statement.ExecContext(ctx, arguments...)
}

// Write runs a function in one write transaction, which commits when it returns
// nil. attempted says what for, in errors.
func (s *Store) Write(ctx context.Context, attempted string, do func(*Writer) error) error {
	c := s.open.Load()
	tx, err := c.writes.BeginTx(ctx, nil)
	if err != nil {
		return classify(err, attempted)
	}
	defer func() { _ = tx.Rollback() }() // after Commit a no-op
	if err := do(&Writer{tx: tx}); err != nil {
		return err
	}
	if err := c.inPlace(s.path, attempted); err != nil {
		return err
	}
	return classify(tx.Commit(), attempted)
}

// located is a row that conditions match.
type located struct {
	rowid int64
	key   []string // texts of SQL
}

// Update changes the matching rows. It gives the keys to read again, and how many
// rows matched, whether or not their values change.
func (w *Writer) Update(ctx context.Context, f *family.Family, conditions []directory.Condition, texts []Text) (keys [][]string, matched int, err error) {
	rows, err := w.matching(ctx, f, conditions)
	if err != nil {
		return nil, 0, err
	}
	for _, row := range rows {
		keys = append(keys, row.key)
		if err := w.change(ctx, f, "rowid = ?", []any{row.rowid}, texts); err != nil {
			return nil, 0, err
		}
		key := row.key
		if moved := movedKey(f, row.key, texts); moved != nil {
			keys, key = append(keys, moved), moved
		}
		if err := w.putExtras(ctx, f, key, texts); err != nil {
			return nil, 0, err
		}
	}
	return keys, len(rows), nil
}

// movedKey gives the key that a row has after a change of key columns, or nil.
func movedKey(f *family.Family, key []string, texts []Text) []string {
	var moved []string
	for i, name := range f.Key {
		for _, t := range texts {
			if t.Column != name {
				continue
			}
			if text := keyText(f, name, t.Text); text != key[i] {
				if moved == nil {
					moved = append(moved, key...)
				}
				moved[i] = text
			}
		}
	}
	return moved
}

// Delete deletes the matching rows and gives the key of each.
func (w *Writer) Delete(ctx context.Context, f *family.Family, conditions []directory.Condition) (keys [][]string, err error) {
	rows, err := w.matching(ctx, f, conditions)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if _, err := w.tx.ExecContext(ctx, "DELETE FROM "+quote(f.Name)+" WHERE rowid = ?", row.rowid); err != nil {
			return nil, classify(err, "delete from "+f.Name)
		}
		keys = append(keys, row.key)
	}
	return keys, nil
}

// Put makes a row of a key exist with these texts: a row that is there keeps its
// other columns. Where the key is not unique the row is added.
func (w *Writer) Put(ctx context.Context, f *family.Family, texts []Text) (key []string, err error) {
	key = keyOf(f, texts)
	found := int64(0)
	if f.UniqueKey() {
		where, arguments := keyWhere(f, key)
		if found, err = w.changed(ctx, f, where, arguments, texts); err != nil {
			return nil, err
		}
	}
	if found == 0 {
		if err := w.insert(ctx, f, texts); err != nil {
			return nil, err
		}
	}
	return key, w.putExtras(ctx, f, key, texts)
}

// ChangeKey changes all rows of a key; it gives how many there are.
func (w *Writer) ChangeKey(ctx context.Context, f *family.Family, key []string, texts []Text) (int64, error) {
	where, arguments := keyWhere(f, key)
	found, err := w.changed(ctx, f, where, arguments, texts)
	if err != nil || found == 0 {
		return found, err
	}
	return found, w.putExtras(ctx, f, key, texts)
}

// DeleteKey deletes all rows of a key and gives how many there were.
func (w *Writer) DeleteKey(ctx context.Context, f *family.Family, key []string) (int64, error) {
	where, arguments := keyWhere(f, key)
	result, err := w.exec(ctx, "DELETE FROM "+quote(f.Name)+" WHERE "+where, arguments...)
	if err != nil {
		return 0, classify(err, "delete from "+f.Name)
	}
	n, err := result.RowsAffected()
	return n, classify(err, "delete from "+f.Name)
}

func keyWhere(f *family.Family, key []string) (string, []any) {
	parts := make([]string, len(f.Key))
	var arguments []any
	for i, name := range f.Key {
		parts[i] = equalSQL(f, name, key[i], &arguments)
	}
	return strings.Join(parts, " AND "), arguments
}

// matching finds the rows that satisfy the conditions, by the directory's own
// rules: equality narrows the search in SQL, the matcher decides.
func (w *Writer) matching(ctx context.Context, f *family.Family, conditions []directory.Condition) ([]located, error) {
	if len(conditions) == 0 {
		return nil, &failure.Error{Kind: failure.Invalid, Message: "a write to " + f.Name + " without a condition", Hint: "name the row"}
	}
	into := &matcher{family: f, conditions: conditions}
	if err := w.knownExtras(ctx, into); err != nil {
		return nil, err
	}
	var arguments []any
	parts := []string{"1"}
	for _, c := range conditions {
		if !narrows(f, c) {
			continue
		}
		parts = append(parts, quote(string(c.Column))+" IN (?, ?)")
		arguments = append(arguments, family.Encode(string(c.Value)), string(c.Value))
	}
	reader := &Reader{w.tx}
	err := reader.query(ctx, f, append([]family.Column{{Name: "rowid", Kind: family.Integer}}, f.Columns...), strings.Join(parts, " AND "), arguments, into)
	return into.found, err
}

// narrows tells whether SQL finds all the rows that a condition matches by the
// value's two spellings. It does not where numbers may be spelled in other ways,
// or where some of several semicolons may be encoded and others not.
func narrows(f *family.Family, c directory.Condition) bool {
	name := string(c.Column)
	at, known := f.Position(name)
	if !known || c.Op != directory.Equal || len(c.Value) == 0 {
		return false
	}
	if f.Columns[at].Kind.Numeric() {
		return f.Columns[at].Kind == family.Integer && (slices.Contains(f.Key, name) || slices.Contains(f.Primary, name))
	}
	return bytes.Count(c.Value, []byte(";"))+bytes.Count(c.Value, []byte("^")) < 2
}

func (w *Writer) knownExtras(ctx context.Context, into *matcher) error {
	rows, err := w.tx.QueryContext(ctx, "SELECT DISTINCT col FROM asterism_extra WHERE family = ?", into.family.Name)
	if err != nil {
		return classify(err, "read the extra columns of "+into.family.Name)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return classify(err, "read the extra columns of "+into.family.Name)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return classify(err, "read the extra columns of "+into.family.Name)
	}
	into.columns = directory.NewColumns(into.family, names)
	matcher, unknown := into.columns.Matcher(into.family, into.conditions)
	if unknown > 0 {
		name := string(into.conditions[unknown-1].Column)
		return &failure.Error{Kind: failure.Unknown, Field: name, Message: fmt.Sprintf("%s has no column %q", into.family.Name, name)}
	}
	into.matcher = matcher
	into.builder = directory.NewBuilder(into.columns)
	return nil
}
