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

// columns of the table, as bytes so that asking allocates nothing.
var (
	tenantColumn = []byte("tenant")
	numberColumn = []byte("number")
)

// Lookup finds a number's entry, enabled or not. table is that of the family
// numbers.
func Lookup(table *directory.Table, tenant, number []byte) (Entry, bool) {
	if len(number) == 0 {
		return Entry{}, false
	}
	conditions := [2]directory.Condition{{Column: numberColumn, Value: number}, {Column: tenantColumn, Value: tenant}}
	row, result := table.First(directory.Query{Conditions: conditions[:]})
	if result.Rows == 0 && len(tenant) > 0 {
		conditions[1].Value = nil
		row, result = table.First(directory.Query{Conditions: conditions[:]})
	}
	return Entry{row, table.Columns()}, result.Rows > 0
}

// Text gives a column of the entry.
func (e Entry) Text(column string) string {
	at, ok := e.columns.Position(column)
	if !ok {
		return ""
	}
	return e.row.Text(at)
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
	return entry.Text("codecs")
}
