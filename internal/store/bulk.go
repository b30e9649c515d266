package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"asterism/internal/family"
)

// BulkRows is how many rows of a load one transaction takes at most: the write
// lock is free for others between them.
const BulkRows = 2000

// statementRows bounds the rows of one INSERT.
const statementRows = 50

// Load makes rows exist, each given as the texts of the named columns, all of
// which the table has, in one transaction.
func (s *Store) Load(ctx context.Context, f *family.Family, names []string, rows [][]string) error {
	return s.Write(ctx, "load "+f.Name, func(w *Writer) error {
		if !f.UniqueKey() || !hasAll(names, f.Key) {
			return w.putEach(ctx, f, names, rows)
		}
		return w.insertAll(ctx, f, names, rows)
	})
}

func hasAll(names, wanted []string) bool {
	have := make(map[string]bool, len(names))
	for _, name := range names {
		have[name] = true
	}
	for _, name := range wanted {
		if !have[name] {
			return false
		}
	}
	return true
}

// putEach is for keys that are not unique: a row replaces the values of those
// that share its key; without a primary key (queue_rules) it is added unless one
// like it is there. Both ways a load can be run again. Logs get the row added.
func (w *Writer) putEach(ctx context.Context, f *family.Family, names []string, rows [][]string) error {
	texts := make([]Text, len(names))
	for _, row := range rows {
		for i, name := range names {
			texts[i] = Text{name, row[i]}
		}
		found, err := w.replaced(ctx, f, texts, hasAll(names, f.Key))
		if err != nil {
			return err
		}
		if found > 0 {
			continue
		}
		if err := w.insert(ctx, f, texts); err != nil {
			return err
		}
	}
	return nil
}

// replaced gives how many rows a row of a load stands for already; they have its
// texts then. keyed tells whether these name the whole key.
func (w *Writer) replaced(ctx context.Context, f *family.Family, texts []Text, keyed bool) (int64, error) {
	switch {
	case f.AppendOnly:
		return 0, nil
	case len(f.Primary) == 0:
		return w.count(ctx, f, texts)
	case len(f.Key) == 0 || !keyed:
		return 0, nil
	}
	where, arguments := keyWhere(f, keyOf(f, texts))
	return w.changed(ctx, f, where, arguments, texts)
}

// count tells how many rows have all the texts.
func (w *Writer) count(ctx context.Context, f *family.Family, texts []Text) (n int64, err error) {
	parts := make([]string, len(texts))
	var arguments []any
	for i, t := range texts {
		parts[i] = equalSQL(f, t.Column, t.Text, &arguments)
	}
	err = w.tx.QueryRowContext(ctx, "SELECT count(*) FROM "+quote(f.Name)+" WHERE "+strings.Join(parts, " AND "), arguments...).Scan(&n)
	return n, classify(err, "load "+f.Name)
}

// insertAll is for unique keys: rows go in many at a time, by a statement that
// is prepared once, since parsing takes a third of what inserting does.
func (w *Writer) insertAll(ctx context.Context, f *family.Family, names []string, rows [][]string) error {
	for _, size := range []int{statementRows, 1} {
		if len(rows) < size {
			continue
		}
		many, err := w.prepareInsertion(ctx, f, names, size)
		if err != nil {
			return err
		}
		for ; len(rows) >= size; rows = rows[size:] {
			if err := many.insert(ctx, rows[:size]); err != nil {
				return classify(err, "load "+f.Name)
			}
		}
	}
	return nil
}

// insertion is a prepared INSERT of several rows. It ends with its transaction.
type insertion struct {
	statement *sql.Stmt
	columns   []family.Column
	arguments []any
}

// prepareInsertion makes the statement that makes rows exist, given as the texts
// of the named columns, whatever the table holds.
func (w *Writer) prepareInsertion(ctx context.Context, f *family.Family, names []string, rows int) (*insertion, error) {
	i := &insertion{}
	var sets []string
	for _, name := range names {
		c, _ := column(f, name)
		i.columns = append(i.columns, c)
		if !slices.Contains(f.Key, name) && !c.Auto { // a row keeps the number that it has
			sets = append(sets, quote(name)+" = excluded."+quote(name))
		}
	}
	action := "DO NOTHING"
	if len(sets) > 0 {
		action = "DO UPDATE SET " + strings.Join(sets, ", ")
	}
	one := "(" + marks(len(names)) + ")"
	text := "INSERT INTO " + quote(f.Name) + " (" + quoteAll(names) + ") VALUES " + strings.Repeat(one+", ", rows-1) + one +
		" ON CONFLICT (" + quoteAll(f.Key) + ") " + action
	var err error
	i.statement, err = w.tx.PrepareContext(ctx, text)
	return i, classify(err, "load "+f.Name)
}

// insert runs the statement with just as many rows as it is made for.
func (i *insertion) insert(ctx context.Context, rows [][]string) error {
	i.arguments = i.arguments[:0]
	for _, row := range rows {
		for at, c := range i.columns {
			i.arguments = append(i.arguments, sqlValue(c, row[at]))
		}
	}
	_, err := i.statement.ExecContext(ctx, i.arguments...)
	return err
}
