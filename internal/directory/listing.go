package directory

import (
	"iter"
	"strconv"
	"strings"
)

// Listing says which rows a question for all rows answers, and in which order.
// Asterisk inserts what it reads into a sorted list: rows in descending order
// of their ids cost it a quarter of what ascending rows do.
type Listing struct {
	None       bool // nothing is listed; rows are found one by one
	Descending bool
	Active     func(id string) bool // when set: only rows for which it holds
}

// listed tells whether a query asks for the whole table by its key (`id LIKE %`
// of sorcery).
func (t *Table) listed(conditions []bound) bool {
	return len(conditions) == 1 && len(t.key) == 1 && conditions[0].column == t.key[0] &&
		conditions[0].op == Like && conditions[0].pattern.shape == everything && strings.HasPrefix(t.family.Name, "ps_")
}

func (t *Table) list(yield func(Row) bool) {
	if t.listing.None {
		return
	}
	each := func(r Row) bool {
		if t.listing.Active != nil && !t.listing.Active(r.Value(t.key[0])) {
			return true
		}
		return yield(r)
	}
	for i := range t.order {
		x := &t.order[i]
		if x.some || x.columns[0] != t.key[0] {
			continue
		}
		if t.listing.Descending {
			x.tree.Reverse(each)
			return
		}
		x.tree.Scan(each)
		return
	}
	t.Each(each)
}

// Whole serves a question that every row of the table answers: it gives the
// length of them all in curl form, with a line end each, without looking at any,
// and the rows in order. ok is false for other questions.
func (t *Table) Whole(q Query) (length int, rows iter.Seq[Row], ok bool) {
	if len(q.Conditions) != 1 || t.expires >= 0 || t.listing.None || t.listing.Active != nil {
		return 0, nil, false
	}
	var buffer [1]bound
	conditions, unknown := t.bind(buffer[:0], q.Conditions)
	if unknown > 0 || !t.listed(conditions) {
		return 0, nil, false
	}
	return t.length, t.list, true
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
