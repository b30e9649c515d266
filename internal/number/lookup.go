package number

import (
	"strings"

	"asterism/internal/directory"
)

// Family is the table's name.
const Family = "numbers"

// Entry is what is known of a number.
type Entry struct {
	row     directory.Row
	columns *directory.Columns
}

// Lookup finds a number's entry, enabled or not. table is that of the family
// numbers.
func Lookup(table *directory.Table, tenant, number []byte) (Entry, bool) {
	if len(number) == 0 {
		return Entry{}, false
	}
	row, found := table.Get(tenant, number)
	if !found && len(tenant) > 0 {
		row, found = table.Get(nil, number)
	}
	return Entry{row, table.Columns()}, found
}

// Row is the entry as it stands in the table.
func (e Entry) Row() directory.Row { return e.row }

// Text gives a column of the entry.
func (e Entry) Text(column string) string {
	at, ok := e.columns.Position(column)
	if !ok {
		return ""
	}
	return e.row.Text(at)
}

// Codecs gives the entry's codecs in order of preference, joined by ",", also
// where somebody wrote them with ";" as in a column of several values.
func (e Entry) Codecs() string {
	return strings.ReplaceAll(e.Text("codecs"), ";", ",")
}

// Enabled tells whether the number may be used: yes unless the column says no.
func (e Entry) Enabled() bool {
	switch strings.ToLower(e.Text("enabled")) {
	case "no", "false", "off", "0", "n", "f":
		return false
	}
	return true
}

// Codecs gives the codecs in order of preference, joined by ","; "" when the
// number is unknown or not enabled.
func Codecs(table *directory.Table, tenant, number []byte) string {
	entry, found := Lookup(table, tenant, number)
	if !found || !entry.Enabled() {
		return ""
	}
	return entry.Codecs()
}
