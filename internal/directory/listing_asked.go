package directory

import (
	"slices"
	"strings"
)

// endpoints is the family whose listing can be narrowed: Asterisk reads all
// endpoints to find those of one AOR that it did not know before.
const endpoints = "ps_endpoints"

// Narrows tells whether listings of the table can be narrowed to an AOR.
func (t *Table) Narrows() bool { return t.listing.Asked }

// ListsNone tells whether a listing that is not narrowed has no rows.
func (t *Table) ListsNone() bool { return t.listing.None }

// narrowed tells whether a query for all rows means only those that name an AOR.
func (t *Table) narrowed(q Query) bool { return t.listing.Asked && len(q.AOR) > 0 }

// indexAORs adds what finds the endpoints that name an AOR: an index of those that
// name nothing else, and the few others in a list of their own.
func (t *Table) indexAORs() {
	column, ok := t.columns.Position("aors")
	if !ok {
		t.listing.Asked = false
		return
	}
	t.hash = append(t.hash, newHashIndex(t.columns, []int{column}, t.key))
	x := newOrderIndex([]int{column}, false, compareBy(t.columns, t.key, t.key))
	x.several = true
	t.order = append(t.order, x)
}

// several is the list of the endpoints that name more than one AOR.
func (t *Table) several() *orderIndex { return &t.order[len(t.order)-1] }

// isSeveral tells whether a list of names may be more than a name.
func isSeveral(list string) bool { return strings.ContainsAny(list, ","+blanks) }

// naming yields the endpoints that name an AOR, by descending id.
func (t *Table) naming(aor []byte, yield func(Row) bool) {
	var rows []Row
	only := &t.hash[len(t.hash)-1]
	if first, many := only.first(t.seed, [][]byte{aor}); first.block != nil && !isSeveral(string(aor)) {
		rows = append(rows, first)
		if many {
			rows = rows[:0]
			only.eachOf(first, func(r Row) bool { rows = append(rows, r); return true })
		}
	}
	x := t.several()
	x.tree.Scan(func(r Row) bool {
		for name := range names(r.Text(x.columns[0])) {
			if name == string(aor) {
				rows = append(rows, r)
				break
			}
		}
		return true
	})
	order := compareBy(t.columns, t.key, t.key)
	slices.SortFunc(rows, func(a, b Row) int { return order.compare(b, a) })
	for _, r := range rows {
		if !yield(r) {
			return
		}
	}
}
