package directory

import "asterism/internal/family"

// maxExact bounds the conditions of the short way.
const maxExact = 4

// exact is the short way of Find for what Asterisk asks most: equality on just
// the columns of a hash index. It gives false when the question is of another
// kind. It is kept apart since binding conditions in general costs four times
// what this whole way does (BenchmarkFind).
func (t *Table) exact(q Query, yield func(Row) bool) (result Result, ok bool) {
	var columns [maxExact]int
	if len(q.Conditions) > maxExact {
		return result, false
	}
	for i := range q.Conditions {
		c := &q.Conditions[i]
		column, known := t.columns.Find(c.Column)
		if !known || c.Op != Equal || t.columns.kinds[column].Numeric() && !plainInteger(t.columns.kinds[column], c.Value) {
			return result, false
		}
		columns[i] = column
	}
	for i := range t.hash {
		x := &t.hash[i]
		if values, fits := x.pick(columns[:len(q.Conditions)], q.Conditions); fits {
			return t.lookup(x, values, q.Now, yield), true
		}
	}
	return result, false
}

// values are the values of an index's columns, in its order.
type values struct {
	texts [maxExact][]byte
	count int
}

// pick orders the conditions' values as the index has its columns.
func (x *hashIndex) pick(columns []int, conditions []Condition) (out values, fits bool) {
	if len(x.columns) != len(columns) || len(columns) == 0 {
		return out, false
	}
	for i, want := range x.columns {
		found := false
		for j, column := range columns {
			if column == want {
				out.texts[i], found = conditions[j].Value, true
				break
			}
		}
		if !found {
			return out, false
		}
	}
	out.count = len(columns)
	return out, true
}

func (t *Table) lookup(x *hashIndex, v values, now int64, yield func(Row) bool) (result Result) {
	first, many := x.first(t.seed, v.texts[:v.count])
	switch {
	case first.block == "":
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

// plainInteger tells whether a value of a numeric column is spelled as SQL
// spells it, so that equality of numbers is equality of texts.
func plainInteger(kind family.Kind, text []byte) bool {
	if kind != family.Integer || len(text) > 1 && text[0] == '0' {
		return false
	}
	for _, b := range text {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}
