package directory

import (
	"maps"
	"slices"
	"strings"

	"asterism/internal/family"
)

// Columns is the ordered list of a table's columns: those of the family in the
// order of answers, then columns that only writes of a newer Asterisk brought.
// A column keeps its position for the life of the table.
type Columns struct {
	names    []string
	encoded  []string
	kinds    []family.Kind
	required []bool
	split    []bool
	exact    map[string]int
	folded   map[string]int
}

func newColumns(f *family.Family) *Columns {
	c := &Columns{exact: map[string]int{}, folded: map[string]int{}}
	for _, column := range f.Reply() {
		c.add(column, f.Split(column.Name))
	}
	return c
}

func (c *Columns) add(column family.Column, split bool) {
	at := len(c.names)
	c.names = append(c.names, column.Name)
	c.encoded = append(c.encoded, string(AppendEscaped(nil, column.Name)))
	c.kinds = append(c.kinds, column.Kind)
	c.required = append(c.required, column.Required)
	c.split = append(c.split, split)
	c.exact[column.Name] = at
	lower := strings.ToLower(column.Name)
	if _, taken := c.folded[lower]; !taken {
		c.folded[lower] = at
	}
}

// with gives a list that also has the named column, at the end.
func (c *Columns) with(name string, split bool) *Columns {
	out := &Columns{
		names: slices.Clone(c.names), encoded: slices.Clone(c.encoded), kinds: slices.Clone(c.kinds),
		required: slices.Clone(c.required), split: slices.Clone(c.split),
		exact: maps.Clone(c.exact), folded: maps.Clone(c.folded),
	}
	out.add(family.Column{Name: name}, split)
	return out
}

// Len is the number of columns.
func (c *Columns) Len() int { return len(c.names) }

// Name gives a column's name.
func (c *Columns) Name(column int) string { return c.names[column] }

func (c *Columns) encodedName(column int) string {
	if column == ordinalColumn {
		return ""
	}
	return c.encoded[column]
}

// Find gives the position of a column: its exact name, else in any case
// (app_meetme asks for "startTime").
func (c *Columns) Find(name []byte) (int, bool) {
	if i, ok := c.exact[string(name)]; ok {
		return i, true
	}
	var buffer [64]byte
	if len(name) > len(buffer) {
		return 0, false
	}
	lower := buffer[:len(name)]
	for i, b := range name {
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		lower[i] = b
	}
	i, ok := c.folded[string(lower)]
	return i, ok
}

// alike tells whether questions about columns are understood the same way.
func (c *Columns) alike(other *Columns) bool {
	return slices.Equal(c.names, other.names) && slices.Equal(c.kinds, other.kinds) &&
		slices.Equal(c.required, other.required) && slices.Equal(c.split, other.split)
}

// at gives the positions of columns that must exist.
func (c *Columns) at(names []string) []int {
	out := make([]int, len(names))
	for i, name := range names {
		out[i] = c.exact[name]
	}
	return out
}

// Position gives the position of a column by its exact name.
func (c *Columns) Position(name string) (int, bool) {
	i, ok := c.exact[name]
	return i, ok
}
