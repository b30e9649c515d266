package directory

import "slices"

// plan says how a query is answered: through a hash index, a stretch of an
// ordered index, or a scan of everything.
type plan struct {
	hash   *hashIndex
	order  *orderIndex
	equals int  // leading columns of the ordered index fixed by equality
	next   int  // condition on the column after them, or -1
	sorted bool // rows come in the order of the answer
	scan   bool // nothing narrows the search although something filters
}

// choose picks the index that fixes most columns. Queries have few conditions
// and tables few indexes, so looking at all of them costs nanoseconds.
func (t *Table) choose(conditions []bound) plan {
	best := plan{next: -1}
	score := 0
	for i := range t.hash {
		x := &t.hash[i]
		if n := len(x.columns); n > 0 && 3*n > score && allEqual(conditions, x.columns) {
			best, score = plan{hash: x, next: -1, sorted: conditions[0].op == Equal}, 3*n
		}
	}
	for i := range t.order {
		x := &t.order[i]
		p, worth := t.stretch(x, conditions)
		if worth > score {
			best, score = p, worth
		}
	}
	if best.hash == nil && best.order == nil {
		best.scan = filters(conditions)
	}
	return best
}

// stretch looks at how much of an ordered index the conditions fix; worth 0
// means that it does not help.
func (t *Table) stretch(x *orderIndex, conditions []bound) (p plan, worth int) {
	p = plan{order: x, next: -1}
	if x.several {
		return p, 0 // ordered by something else
	}
	for p.equals < len(x.columns) && hasEqual(conditions, x.columns[p.equals]) {
		p.equals++
	}
	if p.equals < len(x.columns) {
		p.next = rangeOn(conditions, x.columns[p.equals])
	}
	if x.some && !impliesValue(conditions, x.columns[0]) {
		return p, 0
	}
	p.sorted = t.sortsBy(x, p.equals, conditions)
	worth = 2 * p.equals
	if p.next >= 0 && conditions[p.next].narrows() || x.some {
		worth++
	}
	if worth == 0 && p.sorted {
		// All rows, but in the right order: better than sorting them.
		p.scan = filters(conditions)
		worth = 1
	}
	return p, worth
}

// sortsBy tells whether a stretch of the index, with the first columns equal,
// is ordered by the first condition's column and then by the key.
func (t *Table) sortsBy(x *orderIndex, equals int, conditions []bound) bool {
	first := conditions[0].column
	fixed := x.columns[:equals]
	want := make([]int, 0, 8)
	for _, column := range append([]int{first}, t.key...) {
		if !has(fixed, column) && !has(want, column) {
			want = append(want, column)
		}
	}
	have := make([]int, 0, 8)
	for _, column := range x.order.columns {
		if !has(fixed, column) && !has(have, column) {
			have = append(have, column)
		}
	}
	if len(have) < len(want) {
		return false
	}
	for i, column := range want {
		if have[i] != column {
			return false
		}
	}
	return true
}

func has(columns []int, column int) bool {
	return slices.Contains(columns, column)
}

func allEqual(conditions []bound, columns []int) bool {
	for _, column := range columns {
		if !hasEqual(conditions, column) {
			return false
		}
	}
	return true
}

func hasEqual(conditions []bound, column int) bool {
	for i := range conditions {
		if c := &conditions[i]; c.column == column && c.op == Equal && !c.fuzzy() {
			return true
		}
	}
	return false
}

// fuzzy tells whether equality is not the equality of texts: 3.0 equals 3.
func (b *bound) fuzzy() bool {
	if !b.kind.Numeric() {
		return false
	}
	n, ok := parseNumber(string(b.value))
	return ok && n.float
}

func rangeOn(conditions []bound, column int) int {
	for i := range conditions {
		if c := &conditions[i]; c.column == column && c.ranges() {
			return i
		}
	}
	return -1
}

// ranges tells whether matching rows are one stretch of an order by the column.
func (b *bound) ranges() bool {
	switch b.op {
	case Less, LessEqual, Greater, GreaterEqual:
		return true
	case Like:
		return !b.kind.Numeric()
	case NotEqual:
		return len(b.value) == 0
	}
	return false
}

// narrows tells whether the condition leaves rows out at all.
func (b *bound) narrows() bool {
	return b.op != Like || len(b.pattern.prefix) > 0
}

func filters(conditions []bound) bool {
	for i := range conditions {
		if c := &conditions[i]; c.op != Like || c.pattern.shape != everything {
			return true
		}
	}
	return false
}

// impliesValue tells whether the conditions hold only for rows with a value in
// the column.
func impliesValue(conditions []bound, column int) bool {
	for i := range conditions {
		if c := &conditions[i]; c.column == column && (c.op != Equal || len(c.value) > 0) {
			return true
		}
	}
	return false
}
