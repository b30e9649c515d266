package directory

import (
	"strings"

	"github.com/tidwall/btree"

	"asterism/internal/family"
)

// comparison orders rows by columns, then by the table's key, then by their
// bytes, so that no two different rows are equal.
type comparison struct {
	columns []int
	kinds   []family.Kind
}

// compareBy gives the comparison by the columns and then the key.
func compareBy(c *Columns, columns, key []int) comparison {
	var out comparison
	seen := make(map[int]bool)
	for _, column := range append(append([]int(nil), columns...), key...) {
		if !seen[column] {
			seen[column] = true
			out.columns = append(out.columns, column)
			out.kinds = append(out.kinds, c.kinds[column])
		}
	}
	return out
}

// bytewise gives the comparison by the bytes of the columns and then the key.
func bytewise(c *Columns, columns, key []int) comparison {
	out := compareBy(c, columns, key)
	for i := range columns {
		out.kinds[i] = family.Text
	}
	return out
}

func (c *comparison) less(a, b Row) bool { return c.compare(a, b) < 0 }

// compare gives the order of two rows. A pivot has values for leading columns
// only and stands before every row that has the same.
func (c *comparison) compare(a, b Row) int {
	for i, column := range c.columns {
		x, y := a.Text(column), b.Text(column)
		if x == "" && a.pivot() && a.index(column) < 0 || y == "" && b.pivot() && b.index(column) < 0 {
			break
		}
		if n := compareText(c.kinds[i], x, y); n != 0 {
			return n
		}
	}
	switch {
	case a.pivot() && !b.pivot():
		return -1
	case b.pivot() && !a.pivot():
		return 1
	}
	return strings.Compare(a.bytes(), b.bytes())
}

// orderIndex keeps rows ordered by its columns.
type orderIndex struct {
	columns []int
	some    bool // only rows with a value in the first column
	several bool // only rows with several names in the first column; ordered by key
	order   comparison
	tree    *btree.BTreeG[Row]
}

func (x *orderIndex) holds(r Row) bool {
	if x.several {
		return isSeveral(r.Text(x.columns[0]))
	}
	return !x.some || r.Value(x.columns[0]) != ""
}

func (x *orderIndex) insert(r Row) {
	if x.holds(r) {
		x.tree.Set(r)
	}
}

// load inserts a row, faster than insert when it comes after all others.
func (x *orderIndex) load(r Row) {
	if x.holds(r) {
		x.tree.Load(r)
	}
}

func (x *orderIndex) remove(r Row) {
	if x.holds(r) {
		x.tree.Delete(r)
	}
}

// pivot gives a row that stands before all rows whose leading columns are at
// least the given texts.
func (x *orderIndex) pivot(c *Columns, texts []string) Row {
	b := NewBuilder(c)
	for i, text := range texts {
		start := len(b.values)
		b.values = append(b.values, text...)
		b.fields = append(b.fields, field{x.columns[i], start, len(b.values)}) // even when empty
	}
	return b.build(pivotFlag)
}

func newOrderIndex(columns []int, some bool, order comparison) orderIndex {
	x := orderIndex{columns: columns, some: some, order: order}
	x.tree = btree.NewBTreeGOptions(x.order.less, btree.Options{NoLocks: true})
	return x
}

func (x *orderIndex) forEdit() orderIndex {
	out := *x
	out.tree = x.tree.Copy()
	return out
}
