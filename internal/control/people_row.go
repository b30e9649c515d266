package control

import (
	"database/sql"
	"slices"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/store"
)

// row is one row as it is read; it holds until the function that got it returns.
type row struct {
	columns *directory.Columns
	fields  []field // in the order of answers, none empty
}

// field is one column's text as SQL holds it.
type field struct {
	column int // place in the row's columns
	text   []byte
}

// texts appends the row's columns and texts to dst.
func (r row) texts(dst []store.Text) []store.Text {
	for _, f := range r.fields {
		dst = append(dst, store.Text{Column: r.columns.Name(f.column), Text: string(f.text)})
	}
	return dst
}

// text gives the text of a column, nil when it has none.
func (r row) text(column int) []byte {
	for _, f := range r.fields {
		if f.column == column {
			return f.text
		}
	}
	return nil
}

// build makes the directory's form of the row.
func (r row) build(b *directory.Builder) directory.Row {
	b.Reset(r.columns)
	for _, f := range r.fields {
		b.AddSQL(f.column, f.text)
	}
	return b.Row()
}

// assembler puts what a store.Reader reads into the order of answers: the
// family's columns, then those that the table lacks.
type assembler struct {
	learn func(extra []string) *directory.Columns // all columns, the extra ones behind
	each  func(row) error

	extra     []string // columns that the table lacks, as they came
	columns   *directory.Columns
	positions []int
	fields    []field
}

func newAssembler(f *family.Family, each func(row) error) *assembler {
	return &assembler{each: each, learn: func(extra []string) *directory.Columns { return directory.NewColumns(f, extra) }}
}

// Columns implements store.Rows.
func (a *assembler) Columns(names []string) {
	a.columns = a.learn(a.extra)
	a.positions = a.positions[:0]
	for _, name := range names {
		at, _ := a.columns.Position(name) // the table's own: it is there
		a.positions = append(a.positions, at)
	}
}

// Row implements store.Rows.
func (a *assembler) Row(texts []sql.RawBytes, extra map[string]string) error {
	a.fields = a.fields[:0]
	for i, text := range texts {
		if len(text) > 0 {
			a.fields = append(a.fields, field{a.positions[i], text})
		}
	}
	if len(extra) > 0 {
		a.addExtra(extra)
	}
	slices.SortFunc(a.fields, func(x, y field) int { return x.column - y.column })
	return a.each(row{a.columns, a.fields})
}

func (a *assembler) addExtra(extra map[string]string) {
	known := len(a.extra)
	for name := range extra {
		if _, ok := a.columns.Position(name); !ok {
			a.extra = append(a.extra, name)
		}
	}
	if len(a.extra) > known {
		slices.Sort(a.extra[known:])
		a.columns = a.learn(a.extra)
	}
	for name, text := range extra {
		if at, ok := a.columns.Position(name); ok && text != "" {
			a.fields = append(a.fields, field{at, []byte(text)})
		}
	}
}
