package family

import (
	"slices"
	"strings"
)

// Kind says how values of a column compare.
type Kind uint8

const (
	Text    Kind = iota // bytewise
	Integer             // as int64
	Float               // as float64
	Time                // "YYYY-MM-DD HH:MM:SS[.ffffff]", bytewise
	YesNo               // Asterisk boolean, bytewise
	Enum                // one of Values by Asterisk's schema; not enforced
)

// Numeric tells whether values of the kind compare as numbers.
func (k Kind) Numeric() bool { return k == Integer || k == Float }

// Column is one column of a family's table.
type Column struct {
	Name     string
	Kind     Kind
	Length   int      // characters; 0: no limit
	Required bool     // NOT NULL: an absent value compares as ""
	Auto     bool     // numbered by the database
	Default  *string  // what the database writes when none is given
	Values   []string // of an Enum
}

// IndexKind says what an index is good for.
type IndexKind uint8

const (
	Hash  IndexKind = iota // equality on all its columns
	Order                  // equality on leading columns, then a range or prefix
	Some                   // like Order, but only of rows with a value in the first column
)

// Index names columns that Asterisk asks by.
type Index struct {
	Kind    IndexKind
	Columns []string
}

// Family is one table. See the package comment for the words.
type Family struct {
	Name       string
	Columns    []Column
	Key        []string // empty: the whole table is one bucket
	Primary    []string // SQL primary key
	Unique     [][]string
	Indexes    []Index
	AppendOnly bool   // written through the spool, never loaded, reads answer nothing
	Verbatim   bool   // values are neither split nor decoded
	Expires    string // column that holds the epoch second after which a row is hidden

	volatileRows bool
	volatile     map[string]bool
	position     map[string]int
}

// Position gives the place of a column in Columns.
func (f *Family) Position(column string) (int, bool) {
	i, ok := f.position[column]
	return i, ok
}

// VolatileRows tells whether Asterisk creates and deletes rows of the family
// at run time (contacts and the like).
func (f *Family) VolatileRows() bool { return f.volatileRows }

// Volatile tells whether a write of the column is Asterisk's own. A column that
// the table lacks counts as volatile in a family that has any (regserver,
// username: which of them a table has depends on its age).
func (f *Family) Volatile(column string) bool {
	if f.volatileRows || f.volatile[column] {
		return true
	}
	_, known := f.position[column]
	return !known && len(f.volatile) > 0
}

// Split tells whether values of the column are several when SQL holds a ";".
func (f *Family) Split(column string) bool {
	return !f.Verbatim && !strings.HasPrefix(column, "@")
}

// before lists columns that must answer before another one.
var before = map[string]string{"disallow": "allow", "deny": "permit", "contactdeny": "contactpermit"}

// Reply gives the columns in the order in which a row answers: the table's own,
// but each deny before its permit.
func (f *Family) Reply() []Column {
	out := make([]Column, 0, len(f.Columns))
	placed := make(map[string]bool)
	for _, c := range f.Columns {
		for first, second := range before {
			if i, ok := f.position[first]; ok && c.Name == second && !placed[first] {
				out = append(out, f.Columns[i])
				placed[first] = true
			}
		}
		if !placed[c.Name] {
			out = append(out, c)
			placed[c.Name] = true
		}
	}
	return out
}

// WithColumns gives a copy of the family for a table that has other columns
// than the schema: columns the schema knows keep what it says of them, but that
// an operator's table may allow NULL where the schema does not.
func (f *Family) WithColumns(columns []Column) *Family {
	out := *f
	out.Columns = make([]Column, 0, len(columns))
	for _, c := range columns {
		if i, ok := f.position[c.Name]; ok {
			nullable := !c.Required
			c = f.Columns[i]
			c.Required = c.Required && !nullable
		}
		out.Columns = append(out.Columns, c)
	}
	out.place()
	out.Indexes = nil
	for _, index := range f.Indexes {
		if out.HasColumns(index.Columns) {
			out.Indexes = append(out.Indexes, index)
		}
	}
	return &out
}

// WithIndex gives a copy of the family with one more ordered index.
func (f *Family) WithIndex(columns []string) *Family {
	out := *f
	out.Indexes = append(append([]Index(nil), f.Indexes...), Index{Kind: Order, Columns: columns})
	return &out
}

// New makes a family of a table that no schema names: an operator's own.
func New(name string, columns []Column, primary []string) *Family {
	f := &Family{Name: name, Columns: columns, Key: primary, Primary: primary}
	f.place()
	if len(primary) > 0 {
		f.Indexes = []Index{{Hash, primary}, {Order, primary}}
	}
	return f
}

// HasColumns tells whether the family has all the columns.
func (f *Family) HasColumns(columns []string) bool {
	for _, c := range columns {
		if _, ok := f.position[c]; !ok {
			return false
		}
	}
	return true
}

func (f *Family) place() {
	f.position = make(map[string]int, len(f.Columns))
	for i, c := range f.Columns {
		f.position[c.Name] = i
	}
}

// UniqueKey tells whether the key names at most one row.
func (f *Family) UniqueKey() bool {
	for _, unique := range append([][]string{f.Primary}, f.Unique...) {
		if len(unique) > 0 && sameNames(unique, f.Key) {
			return true
		}
	}
	return false
}

func sameNames(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, name := range a {
		if !slices.Contains(b, name) {
			return false
		}
	}
	return true
}
