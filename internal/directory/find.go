package directory

import "slices"

// Query asks for the rows that satisfy all conditions.
type Query struct {
	Conditions []Condition
	Now        int64 // epoch seconds; rows that expired before it are hidden
	Quick      bool  // give up when it would take more than some microseconds
	// AOR narrows a question for all rows of a table that Narrows to the rows that
	// name it; others don't mind it.
	AOR []byte
}

// quickRows is how many rows a quick question may look at.
const quickRows = 64

// Result says how a question went, beside the rows that were yielded.
type Result struct {
	Rows    int
	Scanned bool // no index served it
	Unknown int  // 1 + the condition whose column the table lacks; 0: none
	Slow    bool // a quick question was given up; what was yielded is not all
}

// Find yields the matching rows in the order of the first condition's column
// by its type, ties by key. A question about everything follows the listing
// policy. A condition on an unknown column matches nothing.
func (t *Table) Find(q Query, yield func(Row) bool) Result {
	if result, ok := t.exact(q, yield); ok {
		return result
	}
	var buffer [8]bound
	conditions, unknown := t.bind(buffer[:0], q.Conditions)
	if unknown > 0 {
		return Result{Unknown: unknown}
	}
	return t.find(conditions, q, yield)
}

// First gives the first matching row.
func (t *Table) First(q Query) (row Row, result Result) {
	result = t.Find(q, func(r Row) bool { row = r; return false })
	return row, result
}

func (t *Table) bind(dst []bound, conditions []Condition) (bounds []bound, unknown int) {
	for i, condition := range conditions {
		b, ok := t.columns.bind(condition, t.expires)
		if !ok {
			return nil, i + 1
		}
		dst = append(dst, b)
	}
	return dst, 0
}

func (t *Table) find(conditions []bound, q Query, yield func(Row) bool) Result {
	var result Result
	if len(conditions) == 0 || t.family.AppendOnly {
		return result
	}
	hidden, looked := t.hides(conditions), 0
	emit := func(r Row) bool {
		if looked++; q.Quick && looked > quickRows {
			result.Slow = true
			return false
		}
		if !t.matches(conditions, r) || hidden && t.expired(r, q.Now) {
			return true
		}
		result.Rows++
		return yield(r)
	}
	if t.listed(conditions) {
		if result.Slow = q.Quick && !t.listsQuickly(q); !result.Slow {
			t.list(q, emit)
		}
		return result
	}
	p := t.choose(conditions)
	if p.scan {
		if q.Quick && t.count > quickRows {
			return Result{Slow: true}
		}
		result.Scanned = true
		t.stats.Scans.Add(1)
	}
	if p.sorted {
		t.run(p, conditions, emit)
	} else {
		t.inOrder(p, conditions, q.Quick, emit)
	}
	return result
}

func (t *Table) matches(conditions []bound, r Row) bool {
	for i := range conditions {
		if !conditions[i].match(r) {
			return false
		}
	}
	return true
}

// inOrder collects the candidates and yields them in the answer's order; a quick
// question only as many as show that they are too many.
func (t *Table) inOrder(p plan, conditions []bound, quick bool, yield func(Row) bool) {
	var rows []Row
	looked := 0
	t.run(p, conditions, func(r Row) bool {
		looked++
		if all := !quick || looked <= quickRows; !all || t.matches(conditions, r) {
			rows = append(rows, r)
			return all
		}
		return true
	})
	order := compareBy(t.columns, []int{conditions[0].column}, t.key)
	slices.SortFunc(rows, order.compare)
	for _, r := range rows {
		if !yield(r) {
			return
		}
	}
}

// run yields candidates: all rows that match, perhaps some that don't.
func (t *Table) run(p plan, conditions []bound, yield func(Row) bool) {
	switch {
	case p.hash != nil:
		p.hash.lookup(t.seed, conditions, yield)
	case p.order != nil:
		t.runOrder(p, conditions, yield)
	default:
		t.Each(yield)
	}
}

// runOrder walks the stretch of an ordered index that the conditions fix.
func (t *Table) runOrder(p plan, conditions []bound, yield func(Row) bool) {
	columns := p.order.columns
	var end *bound
	texts := make([]string, 0, 4)
	for _, column := range columns[:p.equals] {
		texts = append(texts, string(equalOn(conditions, column)))
	}
	if p.next >= 0 {
		end = &conditions[p.next]
		if from, ok := end.from(); ok {
			texts = append(texts, from)
		}
	}
	step := func(r Row) bool {
		for i := range p.equals {
			if r.Text(columns[i]) != texts[i] {
				return false
			}
		}
		if end != nil && end.past(r.Text(columns[p.equals])) {
			return false
		}
		return yield(r)
	}
	if len(texts) == 0 {
		p.order.tree.Scan(step)
		return
	}
	p.order.tree.Ascend(p.order.pivot(t.columns, texts), step)
}

// from gives the least text that can satisfy a range condition.
func (b *bound) from() (string, bool) {
	switch b.op {
	case Greater, GreaterEqual:
		return string(b.value), true
	case Like:
		return string(b.pattern.prefix), len(b.pattern.prefix) > 0
	}
	return "", false
}

// past tells whether no later text can satisfy a range condition.
func (b *bound) past(text string) bool {
	switch b.op {
	case Less, LessEqual:
		if text == "" {
			return false
		}
		return b.compare(text) == above
	case Like:
		prefix := b.pattern.prefix
		return len(prefix) > 0 && (len(text) < len(prefix) || text[:len(prefix)] != string(prefix))
	}
	return false
}
