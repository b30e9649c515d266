package feed

import (
	"database/sql"
	"runtime"
	"slices"

	"asterism/internal/directory"
)

// assembler makes directory rows of what a store.Scan or Reader reads.
type assembler struct {
	columnsOf func(names []string) *directory.Columns // makes the names known
	each      func(directory.Row)
	build     func(*directory.Columns) *directory.Builder

	names     []string
	columns   *directory.Columns
	builder   *directory.Builder
	positions []int
	read      int
}

// rowsAtOnce is after how many rows a read steps back for whoever waits for a
// processor: a registration passes several goroutines, and behind a bulk read
// each of these steps could else wait for 10 ms.
const rowsAtOnce = 64

// Columns implements store.Rows.
func (a *assembler) Columns(names []string) {
	a.names = names
	a.place(a.columnsOf(names))
}

func (a *assembler) place(columns *directory.Columns) {
	a.columns = columns
	a.builder = a.build(columns)
	a.positions = a.positions[:0]
	for _, name := range a.names {
		at, _ := columns.Find([]byte(name))
		a.positions = append(a.positions, at)
	}
}

// Row implements store.Rows.
func (a *assembler) Row(texts []sql.RawBytes, extra map[string]string) error {
	if len(extra) > 0 {
		names := make([]string, 0, len(extra))
		for name := range extra {
			names = append(names, name)
		}
		slices.Sort(names) // the same order in each life
		if columns := a.columnsOf(names); columns != a.columns {
			a.place(columns)
		}
	}
	for i, text := range texts {
		a.builder.AddSQL(a.positions[i], text)
	}
	for name, text := range extra {
		at, _ := a.columns.Find([]byte(name))
		a.builder.AddSQL(at, []byte(text))
	}
	a.each(a.builder.Row())
	if a.read++; a.read%rowsAtOnce == 0 {
		runtime.Gosched()
	}
	return nil
}
