package directory

import (
	"hash/maphash"
	"slices"
	"sync/atomic"

	"asterism/internal/family"
)

// Table is one family's rows with their indexes. It never changes once it is
// part of a view.
type Table struct {
	family   *family.Family
	columns  *Columns
	expires  int // column of the family's expiry, or -1
	key      []int
	byKey    comparison
	hash     []hashIndex // the first is the key's
	order    []orderIndex
	count    int
	length   int    // of all rows in curl form, a line end each
	revision uint64 // of the directory at the last change
	whole    uint64 // at the last change that is not known by keys
	seed     maphash.Seed
	stats    *Stats
	listing  Listing
}

// Stats counts what the life of a table brings; shared by all its versions.
type Stats struct {
	Scans atomic.Uint64 // questions that no index served
}

func newTable(f *family.Family, seed maphash.Seed, listing Listing) *Table {
	t := &Table{family: f, columns: newColumns(f), expires: -1, seed: seed, stats: &Stats{}, listing: listing}
	if f.Expires != "" {
		t.expires, _ = f.Position(f.Expires)
		t.expires = t.columns.exact[f.Expires]
	}
	t.key = t.columns.at(f.Key)
	t.byKey = compareBy(t.columns, nil, t.key)
	t.hash = []hashIndex{newHashIndex(t.columns, t.key, t.key)}
	for i, index := range f.Indexes {
		columns := t.columns.at(index.Columns)
		if index.Kind == family.Hash {
			if i > 0 {
				t.hash = append(t.hash, newHashIndex(t.columns, columns, t.key))
			}
			continue
		}
		order := compareBy(t.columns, columns, t.key)
		t.order = append(t.order, newOrderIndex(columns, index.Kind == family.Some, order))
	}
	if t.listing.Asked {
		t.indexAORs()
	}
	return t
}

// Family gives the description of the table.
func (t *Table) Family() *family.Family { return t.family }

// Columns gives the table's columns; positions in rows refer to it.
func (t *Table) Columns() *Columns { return t.columns }

// Count is the number of rows, hidden ones too.
func (t *Table) Count() int { return t.count }

// Revision is the directory's revision at the table's last change.
func (t *Table) Revision() uint64 { return t.revision }

// Stats gives the counters of the table.
func (t *Table) Stats() *Stats { return t.stats }

// Bucket gives the rows of a key (decoded values), in no particular order.
func (t *Table) Bucket(key []string) []Row { return t.hash[0].bucket(t.seed, key) }

// KeyOf gives the decoded key of a row.
func (t *Table) KeyOf(r Row) []string {
	out := make([]string, len(t.key))
	for i, column := range t.key {
		out[i] = r.Text(column)
	}
	return out
}

// Each yields every row, hidden ones too, in no order.
func (t *Table) Each(yield func(Row) bool) { t.hash[0].each(yield) }

// forEdit gives a copy whose changes leave this one as it is.
func (t *Table) forEdit() *Table {
	out := *t
	out.hash = make([]hashIndex, len(t.hash))
	for i := range t.hash {
		out.hash[i] = t.hash[i].forEdit()
	}
	out.order = make([]orderIndex, len(t.order))
	for i := range t.order {
		out.order[i] = t.order[i].forEdit()
	}
	return &out
}

// replace puts rows in the place of a bucket's rows and tells how many rows
// came, went or changed. Rows that are equal in every value get an ordinal.
func (t *Table) replace(generation uint64, key []string, rows []Row) (changed int) {
	rows = t.distinct(rows)
	old := t.Bucket(key)
	for _, r := range old {
		if !contains(rows, r) {
			t.remove(generation, r)
			changed++
		}
	}
	for _, r := range rows {
		if !contains(old, r) {
			t.insert(generation, r)
			changed++
		}
	}
	return changed
}

func (t *Table) insert(generation uint64, r Row) {
	for i := range t.hash {
		t.hash[i].insert(t.seed, generation, r)
	}
	for i := range t.order {
		t.order[i].insert(r)
	}
	t.counted(r, 1)
}

// load inserts a row that probably comes after all others in order.
func (t *Table) load(generation uint64, r Row) {
	for i := range t.hash {
		t.hash[i].insert(t.seed, generation, r)
	}
	for i := range t.order {
		t.order[i].load(r)
	}
	t.counted(r, 1)
}

// counted counts n more rows like this one.
func (t *Table) counted(r Row, n int) {
	t.count += n
	t.length += n * (len(r.Curl()) + 1)
}

func (t *Table) remove(generation uint64, r Row) {
	for i := range t.hash {
		t.hash[i].remove(t.seed, generation, r)
	}
	for i := range t.order {
		t.order[i].remove(r)
	}
	t.counted(r, -1)
}

func contains(rows []Row, r Row) bool {
	return slices.ContainsFunc(rows, r.equal)
}

// distinct gives rows that differ in their bytes: repetitions get an ordinal.
func (t *Table) distinct(rows []Row) []Row {
	if len(rows) < 2 {
		return rows
	}
	seen := make(map[string]int, len(rows))
	out := make([]Row, 0, len(rows))
	b := NewBuilder(t.columns)
	for _, r := range rows {
		n := seen[r.bytes()]
		seen[r.bytes()]++
		if n > 0 {
			b.copyRow(r, nil)
			b.fields = append(b.fields, field{ordinalColumn, len(b.values), len(b.values) + 4})
			b.values = append(b.values, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
			r = b.Row()
		}
		out = append(out, r)
	}
	return out
}
