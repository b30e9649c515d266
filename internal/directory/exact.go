package directory

import (
	"hash/maphash"
	"math/bits"

	"asterism/internal/family"
)

// maxExact bounds the columns of the short way.
const maxExact = 4

// exact is the short way of Find for what Asterisk asks most: equality on just
// the columns of a hash index. It compares the conditions' names with those of
// the index directly and gives false when the question is of another kind.
// Binding conditions in general costs four times what this whole way does
// (BenchmarkFind).
func (t *Table) exact(q Query, yield func(Row) bool) (result Result, ok bool) {
	n := len(q.Conditions)
	if n == 0 || n > maxExact {
		return result, false
	}
	var values [maxExact][]byte
	for i := range t.hash {
		x := &t.hash[i]
		if len(x.columns) == n && x.pick(q.Conditions, &values) {
			return t.lookup(x, values[:n], q.Now, yield), true
		}
	}
	return result, false
}

// pick puts the conditions' values in the order of the index's columns; false
// when the conditions are not just equality on them.
func (x *hashIndex) pick(conditions []Condition, values *[maxExact][]byte) bool {
	if x.float {
		return false
	}
	for i, name := range x.names {
		found := false
		for j := range conditions {
			c := &conditions[j]
			if string(c.Column) == name && c.Op == Equal && (!x.numeric[i] || plainInteger(c.Value)) {
				values[i], found = c.Value, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func (t *Table) lookup(x *hashIndex, values [][]byte, now int64, yield func(Row) bool) (result Result) {
	first, many := x.first(t.seed, values)
	switch {
	case first.block == nil:
	case many:
		x.eachOf(first, func(r Row) bool {
			if t.expired(r, now) {
				return true
			}
			result.Rows++
			return yield(r)
		})
	case !t.expired(first, now):
		result.Rows++
		yield(first)
	}
	return result
}

// Get gives the row of a key by its decoded values in the order of the family's
// key: the shortest way there is. Of several rows it gives the first; it does
// not look at expiry.
func (t *Table) Get(key ...[]byte) (Row, bool) {
	row, _ := t.hash[0].first(t.seed, key)
	return row, row.block != nil
}

// first gives the least row whose columns equal the values, and whether more do.
func (x *hashIndex) first(seed maphash.Seed, values [][]byte) (row Row, many bool) {
	if len(values) != len(x.columns) {
		return Row{}, false
	}
	hash := x.hashBytes(seed, values)
	for l := x.table.find(hash); l != nil; l = l.next {
		for found := l.match(hash); found != 0; found &= found - 1 {
			i := bits.TrailingZeros64(found) / 8 % leafSize
			if row := l.rows[i]; row.hasAll(x.columns, values) {
				return row, l.many>>i&1 != 0
			}
		}
	}
	return Row{}, false
}

func (x *hashIndex) hashBytes(seed maphash.Seed, values [][]byte) uint32 {
	var full uint64
	for _, value := range values {
		if full = mix(full); len(value) > 0 {
			full ^= maphash.Bytes(seed, value)
		}
	}
	return uint32(full >> 32)
}

// plainInteger tells whether a value of a numeric column is spelled as SQL
// spells it, so that equality of numbers is equality of texts.
func plainInteger(text []byte) bool {
	if len(text) > 1 && text[0] == '0' {
		return false
	}
	for _, b := range text {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}

// newHashIndex makes an index on columns of a table.
func newHashIndex(c *Columns, columns, key []int) hashIndex {
	x := hashIndex{columns: columns, order: bytewise(c, columns, key)}
	for _, column := range columns {
		x.names = append(x.names, c.names[column])
		x.numeric = append(x.numeric, c.kinds[column] == family.Integer)
		x.float = x.float || c.kinds[column] == family.Float
	}
	return x
}
