package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"asterism/internal/family"
)

// Rows receives what is read. Columns tells the names of what Row's texts are; it
// is called before the first row. The texts hold until Row returns.
type Rows interface {
	Columns(names []string)
	Row(texts []sql.RawBytes, extra map[string]string) error
}

// Scan is one read transaction for reading whole families: everything it gives
// is of one moment. It is for one goroutine.
type Scan struct{ scanner *scanner }

// Scan begins a scan of the file that is open; Close ends it.
func (s *Store) Scan() (*Scan, error) {
	attempted := "read " + s.path
	scanner, err := openScanner(s.path)
	if err != nil {
		return nil, classify(err, attempted)
	}
	if err := s.open.Load().inPlace(s.path, attempted); err != nil {
		scanner.close()
		return nil, err
	}
	return &Scan{scanner}, nil
}

// Close ends the transaction.
func (s *Scan) Close() { s.scanner.close() }

// Position gives the newest entry of the change log.
func (s *Scan) Position(ctx context.Context) (newest int64, err error) {
	err = s.scanner.query(ctx, newestSQL, func(texts []sql.RawBytes) error {
		newest, err = strconv.ParseInt(string(texts[0]), 10, 64)
		return err
	})
	return newest, classify(err, "read the change log")
}

// All reads a whole family. Columns tells the names anew whenever a row comes
// that has a value in a column which none before it had.
func (s *Scan) All(ctx context.Context, f *family.Family, into Rows) error {
	attempted := "read " + f.Name
	extras, err := s.extras(ctx, f.Name)
	if err != nil {
		return classify(err, attempted)
	}
	key := "''"
	if len(extras) > 0 {
		key = keySQL(f, quote(f.Name))
	}
	p := pass{table: quote(f.Name), key: key, used: make([]bool, len(f.Columns)), columns: f.Columns}
	p.narrow = len(f.Columns) > fewColumns && s.hasRowid(ctx, f)
	for p.next = true; p.next; {
		if err := s.pass(ctx, &p, extras, into); err != nil {
			return classify(err, attempted)
		}
	}
	return nil
}

// fewColumns is up to where reading all columns is cheaper than looking which of
// them hold a value.
const fewColumns = 8

// pass is one go through a table, from a row on. Of the 147 columns of
// ps_endpoints most installations use a dozen, and each one that is read costs. So
// a narrow pass reads only those that had a value so far, and looks at each row
// for another; where it finds one it ends, and the next pass reads that column too.
type pass struct {
	table, key string
	columns    []family.Column
	used       []bool
	narrow     bool
	from       string // rowid of the first row
	next       bool   // there is another pass to come
}

func (p *pass) statement() (text string, names []string) {
	var read, empty []string
	for i, c := range p.columns {
		if p.used[i] || !p.narrow {
			names = append(names, c.Name)
			read = append(read, quote(c.Name))
		} else {
			empty = append(empty, quote(c.Name)+" IS NOT NULL")
		}
	}
	read = append(read, p.key)
	if !p.narrow {
		return "SELECT " + strings.Join(read, ", ") + " FROM " + p.table, names
	}
	text = "SELECT " + strings.Join(read, ", ") + ", rowid, CASE WHEN " + strings.Join(append(empty, "0"), " OR ") + " THEN 1 ELSE 0 END FROM " + p.table
	if p.from != "" {
		text += " WHERE rowid >= " + p.from
	}
	return text + " ORDER BY rowid", names
}

// errWider ends a pass at a row that has a value in another column.
var errWider = errors.New("another column has a value")

func (s *Scan) pass(ctx context.Context, p *pass, extras extras, into Rows) error {
	text, names := p.statement()
	p.next = false
	into.Columns(names)
	n := len(names)
	err := s.scanner.query(ctx, text, func(texts []sql.RawBytes) error {
		if p.narrow && string(texts[n+2]) != "0" {
			p.from = string(texts[n+1])
			return errWider
		}
		return into.Row(texts[:n], extras[string(texts[n])])
	})
	if errors.Is(err, errWider) {
		p.next = true
		return s.widen(ctx, p)
	}
	return err
}

// widen adds the columns that have a value in the row where the pass ended.
func (s *Scan) widen(ctx context.Context, p *pass) error {
	all := make([]string, len(p.columns))
	for i, c := range p.columns {
		all[i] = quote(c.Name) + " IS NOT NULL"
	}
	text := "SELECT " + strings.Join(all, ", ") + " FROM " + p.table + " WHERE rowid = " + p.from
	return s.scanner.query(ctx, text, func(texts []sql.RawBytes) error {
		for i, text := range texts {
			p.used[i] = p.used[i] || string(text) == "1"
		}
		return nil
	})
}

// hasRowid tells whether a table has SQLite's number of each row, by that name.
func (s *Scan) hasRowid(ctx context.Context, f *family.Family) bool {
	for _, c := range f.Columns {
		if strings.EqualFold(c.Name, "rowid") {
			return false // one of the operator's own, and another thing
		}
	}
	kind := ""
	err := s.scanner.query(ctx, "SELECT typeof(max(rowid)) FROM "+quote(f.Name), func(texts []sql.RawBytes) error {
		kind = string(texts[0])
		return nil
	})
	return err == nil && kind == "integer"
}

// extras reads the values beyond the table's columns, by row key.
func (s *Scan) extras(ctx context.Context, name string) (extras, error) {
	var out extras
	text := fmt.Sprintf("%s'%s'", extrasSQL, strings.ReplaceAll(name, "'", "''"))
	err := s.scanner.query(ctx, text, func(texts []sql.RawBytes) error {
		out.add(string(texts[0]), string(texts[1]), string(texts[2]))
		return nil
	})
	return out, err
}
