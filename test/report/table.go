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

// YesNo says whether an aim is reached; what is not stands out.
func YesNo(holds bool) string {
	if holds {
		return "yes"
	}
	return "**no**"
}
