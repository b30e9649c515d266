package store

import (
	"context"
	"strconv"
	"strings"

	"asterism/internal/family"
)

// column finds what a text is for; false when the table lacks the column.
func column(f *family.Family, name string) (family.Column, bool) {
	at, ok := f.Position(name)
	if !ok {
		return family.Column{}, false
	}
	return f.Columns[at], true
}

// sqlValue gives what to write: as Asterisk's SQL drivers, NULL for an empty
// value of a nullable column that holds no text.
func sqlValue(c family.Column, text string) any {
	if text == "" && !c.Required && c.Kind != family.Text {
		return nil
	}
	return text
}

// keyOf takes the key out of a row's texts.
func keyOf(f *family.Family, texts []Text) []string {
	key := make([]string, len(f.Key))
	for i, name := range f.Key {
		for _, t := range texts {
			if t.Column == name {
				key[i] = keyText(f, name, t.Text)
			}
		}
	}
	return key
}

// keyText gives the text of a key column as SQL will give it back: whole numbers
// lose leading zeros.
func keyText(f *family.Family, name, text string) string {
	if c, known := column(f, name); !known || c.Kind != family.Integer {
		return text
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return text
	}
	return strconv.FormatInt(n, 10)
}

// changed sets texts of the rows that where names and gives how many there are.
func (w *Writer) changed(ctx context.Context, f *family.Family, where string, whereArguments []any, texts []Text) (int64, error) {
	var sets []string
	var arguments []any
	for _, t := range texts {
		if c, known := column(f, t.Column); known && !(c.Auto && t.Text == "") {
			sets = append(sets, quote(t.Column)+" = ?")
			arguments = append(arguments, sqlValue(c, t.Text))
		}
	}
	if len(sets) == 0 {
		// Only columns that the table lacks: the row must exist all the same.
		sets = append(sets, quote(f.Columns[0].Name)+" = "+quote(f.Columns[0].Name))
	}
	result, err := w.exec(ctx, "UPDATE "+quote(f.Name)+" SET "+strings.Join(sets, ", ")+" WHERE "+where, append(arguments, whereArguments...)...)
	if err != nil {
		return 0, classify(err, "update "+f.Name)
	}
	n, err := result.RowsAffected()
	return n, classify(err, "update "+f.Name)
}

func (w *Writer) change(ctx context.Context, f *family.Family, where string, arguments []any, texts []Text) error {
	_, err := w.changed(ctx, f, where, arguments, texts)
	return err
}

// insert adds a row of the texts whose columns the table has.
func (w *Writer) insert(ctx context.Context, f *family.Family, texts []Text) error {
	var names []string
	var arguments []any
	for _, t := range texts {
		c, known := column(f, t.Column)
		if known && !(c.Auto && t.Text == "") {
			names = append(names, t.Column)
			arguments = append(arguments, sqlValue(c, t.Text))
		}
	}
	text := "INSERT INTO " + quote(f.Name) + " (" + quoteAll(names) + ") VALUES (" + marks(len(names)) + ")"
	if len(names) == 0 {
		text = "INSERT INTO " + quote(f.Name) + " DEFAULT VALUES"
	}
	_, err := w.exec(ctx, text, arguments...)
	return classify(err, "insert into "+f.Name)
}

func marks(n int) string {
	if n == 0 {
		return ""
	}
	return strings.Repeat("?, ", n-1) + "?"
}

// putExtras keeps the texts whose columns the table lacks; "" takes one away.
func (w *Writer) putExtras(ctx context.Context, f *family.Family, key []string, texts []Text) error {
	if f.AppendOnly {
		return nil // a log row has no key to find its extras by
	}
	rowKey := string(family.AppendKey(nil, key...))
	for _, t := range texts {
		if _, known := column(f, t.Column); known {
			continue
		}
		statement := "INSERT INTO asterism_extra (family, row_key, col, value) VALUES (?, ?, ?, ?) ON CONFLICT (family, row_key, col) DO UPDATE SET value = excluded.value"
		arguments := []any{f.Name, rowKey, t.Column, t.Text}
		if t.Text == "" {
			statement, arguments = "DELETE FROM asterism_extra WHERE family = ? AND row_key = ? AND col = ?", arguments[:3]
		}
		if _, err := w.tx.ExecContext(ctx, statement, arguments...); err != nil {
			return classify(err, "keep an extra value of "+f.Name)
		}
	}
	return nil
}
