package cli

import (
	"bufio"
	"fmt"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"asterism/internal/store"
)

// tableRows is how many rows share one table: its widths are known only when all
// its rows are.
const tableRows = 1000

// tableListing prints tables whose columns are those that hold a value.
type tableListing struct {
	out     *bufio.Writer
	columns []string
	rows    []map[string]string
}

func (l *tableListing) row(row []store.Text) error {
	place := 0
	values := make(map[string]string, len(row))
	for _, value := range row {
		values[value.Column] = value.Text
		if known := slices.Index(l.columns, value.Column); known >= 0 {
			place = known + 1
			continue
		}
		l.columns = slices.Insert(l.columns, place, value.Column)
		place++
	}
	l.rows = append(l.rows, values)
	if len(l.rows) < tableRows {
		return nil
	}
	return l.end()
}

// end prints the table of the rows so far.
func (l *tableListing) end() error {
	if len(l.rows) == 0 {
		return nil
	}
	rows := newTable(l.columns...)
	for _, values := range l.rows {
		cells := make(table.Row, len(l.columns))
		for i, column := range l.columns {
			cells[i] = values[column]
		}
		rows.AppendRow(cells)
	}
	l.columns, l.rows = nil, nil
	_, err := fmt.Fprintln(l.out, rows.Render())
	return err
}

// newTable makes a table with a header.
func newTable(header ...string) table.Writer {
	rows := table.NewWriter()
	rows.SetStyle(table.StyleLight)
	rows.Style().Format.Header = text.FormatDefault
	cells := make(table.Row, len(header))
	for i, name := range header {
		cells[i] = name
	}
	rows.AppendHeader(cells)
	return rows
}
