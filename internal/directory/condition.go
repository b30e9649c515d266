package directory

import (
	"bytes"
	"strconv"
	"strings"

	"asterism/internal/family"
)

// Op is an operator of a condition (reference §1.3).
type Op uint8

const (
	Equal Op = iota
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
	Like
	NotLike
)

// ParseOp reads an operator in any case; "" is Equal.
func ParseOp(text []byte) (Op, bool) {
	switch string(text) {
	case "", "=":
		return Equal, true
	case "!=", "<>":
		return NotEqual, true
	case "<":
		return Less, true
	case "<=":
		return LessEqual, true
	case ">":
		return Greater, true
	case ">=":
		return GreaterEqual, true
	}
	if bytes.EqualFold(text, []byte("LIKE")) {
		return Like, true
	}
	head, tail, found := bytes.Cut(text, []byte(" "))
	if found && bytes.EqualFold(head, []byte("NOT")) && bytes.EqualFold(bytes.TrimLeft(tail, " "), []byte("LIKE")) {
		return NotLike, true
	}
	return Equal, false
}

// Condition is one comparison; the byte slices need to live only as long as the
// call that they are given to.
type Condition struct {
	Column []byte
	Op     Op
	Value  []byte
}

// bound is a condition tied to a column of a table.
type bound struct {
	column   int
	op       Op
	kind     family.Kind
	required bool
	value    []byte
	pattern  pattern // of Like and NotLike
}

func (c *Columns) bind(condition Condition, expires int) (bound, bool) {
	column, ok := c.Find(condition.Column)
	if !ok {
		return bound{}, false
	}
	b := bound{column: column, op: condition.Op, kind: c.kinds[column], required: c.required[column], value: condition.Value}
	switch {
	case b.op == Like || b.op == NotLike:
		b.pattern = compile(b.value, expires >= 0)
	case b.kind == family.Integer && b.op == Equal:
		b.value = canonicalInteger(b.value)
	}
	return b, true
}

// canonicalInteger spells a whole number as SQL does, so that it can be looked
// up as text; what is no number stays.
func canonicalInteger(text []byte) []byte {
	if len(text) == 0 || (text[0] != '0' && text[0] != '+' && text[0] != '-') || len(text) == 1 {
		return text
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return text
	}
	return strconv.AppendInt(nil, n, 10)
}

// match tells whether a row satisfies the condition.
func (b *bound) match(r Row) bool {
	text := r.Text(b.column)
	if text == "" && !b.required {
		return b.op == Equal && len(b.value) == 0
	}
	switch b.op {
	case Like:
		return b.pattern.match(text)
	case NotLike:
		return !b.pattern.match(text)
	case Equal:
		return text == string(b.value) || b.kind.Numeric() && compareNumber(text, b.value) == same
	case NotEqual:
		return text != string(b.value) && !(b.kind.Numeric() && compareNumber(text, b.value) == same)
	}
	order := b.compare(text)
	switch b.op {
	case Less:
		return order == below
	case LessEqual:
		return order == below || order == same
	case Greater:
		return order == above
	default:
		return order == above || order == same
	}
}

// order is the result of a comparison that may have no answer.
type order int

const (
	below order = -1
	same  order = 0
	above order = 1
	none  order = 2
)

// compare orders a row's text against the condition's value by the column's kind.
func (b *bound) compare(text string) order {
	if b.kind.Numeric() {
		return compareNumber(text, b.value)
	}
	switch {
	case text < string(b.value):
		return below
	case text == string(b.value):
		return same
	}
	return above
}

// compareNumber compares two texts as numbers; none when one is no number.
func compareNumber(text string, value []byte) order {
	x, okX := parseNumber(text)
	y, okY := parseNumber(strings.TrimSpace(string(value)))
	switch {
	case !okX || !okY:
		return none
	case x.less(y):
		return below
	case y.less(x):
		return above
	}
	return same
}

// number is an int64, or a float64 where the text is no whole number.
type number struct {
	whole    int64
	fraction float64
	float    bool
}

func parseNumber(text string) (number, bool) {
	if text == "" {
		return number{}, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number{whole: n}, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return number{fraction: f, float: true}, err == nil
}

func (n number) less(m number) bool {
	if !n.float && !m.float {
		return n.whole < m.whole
	}
	return n.asFloat() < m.asFloat()
}

func (n number) asFloat() float64 {
	if n.float {
		return n.fraction
	}
	return float64(n.whole)
}

// compareText orders two values of a column by its kind: for numbers the empty
// value first, then the numbers, then what is no number.
func compareText(kind family.Kind, x, y string) int {
	if x == y {
		return 0
	}
	if kind.Numeric() {
		nx, okX := parseNumber(x)
		ny, okY := parseNumber(y)
		switch {
		case okX && okY && nx.less(ny):
			return -1
		case okX && okY && ny.less(nx):
			return 1
		case okX != okY && x != "" && y != "":
			if okX {
				return -1
			}
			return 1
		}
	}
	return strings.Compare(x, y)
}
