package directory

import (
	"hash/maphash"

	"github.com/tidwall/btree"
)

// hashIndex finds rows by equality on all its columns. Of rows that share a key
// the first lives in the hash table, flagged, and the others in an ordered tree
// beside it, so that a thousand rows with one key cost no more to change than
// one.
type hashIndex struct {
	columns []int
	names   []string   // of the columns
	numeric []bool     // whether their values are whole numbers
	float   bool       // whether any is a fraction, whose equality is not that of texts
	order   comparison // by the index's columns, then as the table orders ties
	table   hashTable
	rest    *btree.BTreeG[Row]
}

// mix stirs the hash of the columns so far; that of the next one is added by
// exclusive or, and nothing for an empty text.
func mix(hash uint64) uint64 { return (hash<<5 | hash>>59) * 0x9E3779B97F4A7C15 }

func mixText(seed maphash.Seed, hash uint64, text string) uint64 {
	if text == "" {
		return mix(hash)
	}
	return mix(hash) ^ maphash.String(seed, text)
}

func (x *hashIndex) hashRow(seed maphash.Seed, r Row) uint32 {
	var hash uint64
	for _, column := range x.columns {
		hash = mixText(seed, hash, r.Text(column))
	}
	return uint32(hash >> 32)
}

func (x *hashIndex) hashTexts(seed maphash.Seed, texts []string) uint32 {
	var hash uint64
	for _, text := range texts {
		hash = mixText(seed, hash, text)
	}
	return uint32(hash >> 32)
}

// lookup yields the rows whose columns equal the conditions' values, ties in key order.
func (x *hashIndex) lookup(seed maphash.Seed, conditions []bound, yield func(Row) bool) {
	values := make([][]byte, 0, 8)
	for _, column := range x.columns {
		values = append(values, equalOn(conditions, column))
	}
	row, many := x.first(seed, values)
	switch {
	case row.block == nil:
	case many:
		x.eachOf(row, yield)
	default:
		yield(row)
	}
}

func equalOn(conditions []bound, column int) []byte {
	for i := range conditions {
		if c := &conditions[i]; c.column == column && c.op == Equal {
			return c.value
		}
	}
	return nil
}

// eachOf yields first and the rows beside the trie that share its key. first is
// the least of them.
func (x *hashIndex) eachOf(first Row, yield func(Row) bool) {
	if !yield(first) {
		return
	}
	x.rest.Ascend(first, func(r Row) bool {
		return x.sameKey(first, r) && yield(r)
	})
}

func (x *hashIndex) sameKey(a, b Row) bool {
	for _, column := range x.columns {
		if a.Text(column) != b.Text(column) {
			return false
		}
	}
	return true
}

// bucket gives the rows whose columns have the given texts.
func (x *hashIndex) bucket(seed maphash.Seed, texts []string) []Row {
	hash := x.hashTexts(seed, texts)
	for l := x.table.find(hash); l != nil; l = l.next {
		for i := range int(l.count) {
			if l.hashes[i] != hash || !x.hasTexts(l.rows[i], texts) {
				continue
			}
			if l.many&(1<<i) == 0 {
				return []Row{l.rows[i]}
			}
			var out []Row
			x.eachOf(l.rows[i], func(r Row) bool { out = append(out, r); return true })
			return out
		}
	}
	return nil
}

func (x *hashIndex) hasTexts(r Row, texts []string) bool {
	for i, column := range x.columns {
		if r.Text(column) != texts[i] {
			return false
		}
	}
	return true
}

// insert adds a row. The least of a key's rows stays in the table.
func (x *hashIndex) insert(seed maphash.Seed, generation uint64, row Row) {
	hash := x.hashRow(seed, row)
	if len(x.table.chunks) == 0 || !x.beside(generation, hash, row) {
		x.table.insert(generation, hash, row)
	}
}

// shares tells whether a row of the index has the columns of this one.
func (x *hashIndex) shares(seed maphash.Seed, row Row) bool {
	if len(x.table.chunks) == 0 {
		return false
	}
	place, _ := x.locate(x.hashRow(seed, row), row)
	return place != nil
}

// beside puts a row beside the one in the table that shares its key, if any does.
func (x *hashIndex) beside(generation uint64, hash uint32, row Row) bool {
	if place, _ := x.locate(hash, row); place == nil {
		return false
	}
	if x.rest == nil {
		x.rest = btree.NewBTreeGOptions(x.order.less, btree.Options{NoLocks: true})
	}
	x.edit(generation, hash, row, func(l *leaf, i int) {
		l.many |= 1 << i
		if x.order.less(row, l.rows[i]) {
			row, l.rows[i] = l.rows[i], row
		}
	})
	x.rest.Set(row)
	return true
}

// locate finds the entry in the table that shares a row's key.
func (x *hashIndex) locate(hash uint32, row Row) (*leaf, int) {
	for l := x.table.find(hash); l != nil; l = l.next {
		for i := range int(l.count) {
			if l.hashes[i] == hash && x.sameKey(l.rows[i], row) {
				return l, i
			}
		}
	}
	return nil, 0
}

// edit changes the entry that shares a row's key; it must exist.
func (x *hashIndex) edit(generation uint64, hash uint32, row Row, change func(*leaf, int)) {
	x.table.change(generation, hash, func(head *leaf) *leaf {
		return x.editLeaf(generation, hash, row, head, change)
	})
}

func (x *hashIndex) editLeaf(generation uint64, hash uint32, row Row, l *leaf, change func(*leaf, int)) *leaf {
	l = l.owned(generation)
	for i := range int(l.count) {
		if l.hashes[i] == hash && x.sameKey(l.rows[i], row) {
			change(l, i)
			return l
		}
	}
	l.next = x.editLeaf(generation, hash, row, l.next, change)
	return l
}

// remove takes out a row that the index holds.
func (x *hashIndex) remove(seed maphash.Seed, generation uint64, row Row) {
	hash := x.hashRow(seed, row)
	place, at := x.locate(hash, row)
	if place == nil {
		return
	}
	if !place.rows[at].equal(row) {
		x.rest.Delete(row)
		x.settle(generation, hash, place.rows[at])
		return
	}
	if place.many&(1<<at) == 0 {
		x.edit(generation, hash, row, func(l *leaf, i int) { l.remove(i) })
		x.table.count--
		return
	}
	next, _ := x.nextOf(row)
	x.rest.Delete(next)
	x.edit(generation, hash, row, func(l *leaf, i int) { l.rows[i] = next })
	x.settle(generation, hash, next)
}

// settle takes the flag off an entry that has no rows beside it any more.
func (x *hashIndex) settle(generation uint64, hash uint32, first Row) {
	if _, more := x.nextOf(first); !more {
		x.edit(generation, hash, first, func(l *leaf, i int) { l.many &^= 1 << i })
	}
}

func (x *hashIndex) nextOf(first Row) (next Row, found bool) {
	x.rest.Ascend(first, func(r Row) bool {
		if x.sameKey(first, r) {
			next, found = r, true
		}
		return false
	})
	return next, found
}

// forEdit gives a copy of the index whose changes leave this one as it is.
func (x *hashIndex) forEdit() hashIndex {
	out := *x
	if x.rest != nil {
		out.rest = x.rest.Copy()
	}
	return out
}

func (x *hashIndex) each(yield func(Row) bool) {
	if x.table.each(yield) && x.rest != nil {
		x.rest.Scan(yield)
	}
}
