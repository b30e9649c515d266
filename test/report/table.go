package report

import "strings"

// Table writes Markdown.
type Table struct{ strings.Builder }

// NewTable begins one.
func NewTable(heading ...string) *Table {
	t := &Table{}
	t.Row(heading...)
	t.WriteString(strings.Repeat("|---", len(heading)) + "|\n")
	return t
}

// Row adds a line.
func (t *Table) Row(cells ...string) {
	t.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
