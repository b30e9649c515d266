package directory

import "strings"

// active gives the listing of ps_aors or ps_endpoints that has only rows behind
// which a phone or trunk can be reached at the moment.
func (d *Directory) active(name string) func(now int64) func(Row) bool {
	return func(now int64) func(Row) bool {
		view := d.View()
		aors, known := view.reachable(now)
		rows := view.Table([]byte(name))
		column := 0
		if name == endpoints {
			var ok bool
			column, ok = rows.columns.Position("aors")
			known = known && ok
		} else {
			column = rows.key[0]
		}
		if !known {
			return func(Row) bool { return true }
		}
		return func(r Row) bool {
			for aor := range names(r.Text(column)) {
				if aors[aor] {
					return true
				}
			}
			return false
		}
	}
}

// reachable gives the AORs that have a contact: one that a phone registered and
// that has not expired, or one that stands in the AOR itself, a trunk's. known is
// false where Asterisk keeps no contacts in a table: then nobody can tell.
//
// To look through all contacts once costs less than to look for the contacts of
// each of many AORs (BenchmarkActiveListing).
func (v *View) reachable(now int64) (aors map[string]bool, known bool) {
	contacts := v.Table([]byte("ps_contacts"))
	if contacts == nil {
		return nil, false
	}
	aors = make(map[string]bool, contacts.count)
	contacts.Each(func(r Row) bool {
		aor, _, found := strings.Cut(r.Value(contacts.key[0]), ";@")
		if found && !contacts.expired(r, now) {
			aors[aor] = true
		}
		return true
	})
	if trunks := v.Table([]byte("ps_aors")); trunks != nil {
		trunks.Find(Query{Conditions: []Condition{{Column: []byte("contact"), Op: NotEqual}}}, func(r Row) bool {
			aors[r.Value(trunks.key[0])] = true
			return true
		})
	}
	return aors, true
}

// names yields the names in a list joined by commas, without the blanks around
// them, as Asterisk reads it.
func names(list string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for more := true; more; {
			var name string
			name, list, more = strings.Cut(list, ",")
			if name = strings.Trim(name, blanks); name != "" && !yield(name) {
				return
			}
		}
	}
}

const blanks = " \t\r\n"
