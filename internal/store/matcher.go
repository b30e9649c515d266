package store

import (
	"database/sql"
	"strconv"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// matcher picks the rows that satisfy conditions from what a Reader reads. The
// first column read is the rowid.
type matcher struct {
	family     *family.Family
	conditions []directory.Condition
	columns    *directory.Columns
	matcher    directory.Matcher
	builder    *directory.Builder
	positions  []int
	keyAt      []int
	found      []located
}

// Columns implements Rows.
func (m *matcher) Columns(names []string) {
	m.positions = m.positions[:0]
	for _, name := range names[1:] {
		at, _ := m.columns.Find([]byte(name))
		m.positions = append(m.positions, at)
	}
	m.keyAt = m.keyAt[:0]
	for _, key := range m.family.Key {
		for i, name := range names {
			if name == key {
				m.keyAt = append(m.keyAt, i)
			}
		}
	}
}

// Row implements Rows.
func (m *matcher) Row(texts []sql.RawBytes, extra map[string]string) error {
	for i, text := range texts[1:] {
		m.builder.AddSQL(m.positions[i], text)
	}
	for name, text := range extra {
		at, _ := m.columns.Find([]byte(name))
		m.builder.AddSQL(at, []byte(text))
	}
	if !m.matcher.Match(m.builder.Row()) {
		return nil
	}
	rowid, err := strconv.ParseInt(string(texts[0]), 10, 64)
	if err != nil {
		return classify(err, "read a rowid of "+m.family.Name)
	}
	key := make([]string, len(m.keyAt))
	for i, at := range m.keyAt {
		key[i] = string(texts[at])
	}
	m.found = append(m.found, located{rowid, key})
	return nil
}
