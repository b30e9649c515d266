package directory

import (
	"iter"
	"strconv"
	"strings"
)

// Listing says which rows a question for all rows answers; the zero Listing, all
// of them. Any other question is answered in full.
type Listing struct {
	None bool // nothing is listed; rows are found one by one
	// Active, when set, makes for each question the test of the rows that are listed.
	Active func(now int64) func(Row) bool
	Asked  bool // a question may be narrowed to the rows that name an AOR: Query.AOR
}

// Policy names what a question for all rows (`id LIKE %`) answers: all, none, active
// or asked. Families that are only appended to answer nothing.
func (t *Table) Policy() string {
	switch l := t.listing; {
	case t.family.AppendOnly || l.None && !l.Asked:
		return "none"
	case l.Asked:
		return "asked"
	case l.Active != nil:
		return "active"
	}
	return "all"
}

// listed tells whether a query asks for the whole table by its key (`id LIKE %`
// of sorcery).
func (t *Table) listed(conditions []bound) bool {
	return len(conditions) == 1 && len(t.key) == 1 && conditions[0].column == t.key[0] &&
		conditions[0].op == Like && conditions[0].pattern.shape == everything && strings.HasPrefix(t.family.Name, "ps_")
}

// listsQuickly tells whether a listing looks at few rows only.
func (t *Table) listsQuickly(q Query) bool {
	switch {
	case t.narrowed(q):
		return t.several().tree.Len() <= quickRows
	case t.listing.None:
		return true
	case t.listing.Active != nil:
		return false // it looks at all contacts
	}
	return t.count <= quickRows
}

// list yields the rows in descending order of their ids, bytewise, as Asterisk
// compares them: it inserts what it reads into a sorted list, and in this order
// that costs it a quarter of what ascending rows do.
func (t *Table) list(q Query, yield func(Row) bool) {
	each := yield
	switch {
	case t.narrowed(q):
		t.naming(q.AOR, yield)
		return
	case t.listing.None:
		return
	case t.listing.Active != nil:
		active := t.listing.Active(q.Now)
		each = func(r Row) bool { return !active(r) || yield(r) }
	}
	t.backwards(each)
}

// backwards yields all rows by descending key.
func (t *Table) backwards(yield func(Row) bool) {
	for i := range t.order {
		if x := &t.order[i]; !x.some && !x.several && x.columns[0] == t.key[0] {
			x.tree.Reverse(yield)
			return
		}
	}
	t.Each(yield) // a family without such an index
}

// Whole serves a question that every row of the table answers: it gives the
// length of them all in curl form, with a line end each, without looking at any,
// and the rows in order. ok is false for other questions.
func (t *Table) Whole(q Query) (length int, rows iter.Seq[Row], ok bool) {
	if len(q.Conditions) != 1 || t.expires >= 0 || t.listing.None || t.listing.Active != nil || t.narrowed(q) {
		return 0, nil, false
	}
	var buffer [1]bound
	conditions, unknown := t.bind(buffer[:0], q.Conditions)
	if unknown > 0 || !t.listed(conditions) {
		return 0, nil, false
	}
	return t.length, t.backwards, true
}

// hides tells whether expired rows are hidden from a query: only Asterisk's own
// expiry, which asks for `expiration_time <=`, must see them.
func (t *Table) hides(conditions []bound) bool {
	if t.expires < 0 {
		return false
	}
	for i := range conditions {
		if conditions[i].column == t.expires && conditions[i].op == LessEqual {
			return false
		}
	}
	return true
}

// IsExpired tells whether the row's time is over at now; rows of families that
// know no expiry, and rows without a time, never expire.
func (t *Table) IsExpired(r Row, now int64) bool { return t.expired(r, now) }

func (t *Table) expired(r Row, now int64) bool {
	if t.expires < 0 {
		return false
	}
	at, err := strconv.ParseInt(r.Value(t.expires), 10, 64)
	return err == nil && at > 0 && at < now
}

// Expired yields rows whose time was over at now.
func (t *Table) Expired(now int64, yield func(Row) bool) {
	if t.expires < 0 {
		return
	}
	limit := strconv.AppendInt(nil, now, 10)
	t.Find(Query{Conditions: []Condition{{Column: []byte(t.columns.Name(t.expires)), Op: LessEqual, Value: limit}}}, func(r Row) bool {
		return !t.expired(r, now) || yield(r)
	})
}
