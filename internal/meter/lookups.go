package meter

// Outcome is how a question of a client ended.
type Outcome int

const (
	Hit Outcome = iota
	Miss
	Wrote
	Failed
	outcomes
)

// Lookups counts questions of one door per family and outcome, with no more
// than an atomic addition for each.
type Lookups struct {
	Seconds  Histogram
	counters [][outcomes]*Counter
	other    [outcomes]*Counter
}

// NewLookups resolves the counters of a door for families, in their order.
func NewLookups(v *Vector, door string, families []string) *Lookups {
	names := [outcomes]string{"hit", "miss", "write", "error"}
	l := &Lookups{}
	for _, family := range families {
		var of [outcomes]*Counter
		for i, name := range names {
			of[i] = v.With(door, family, name)
		}
		l.counters = append(l.counters, of)
	}
	for i, name := range names {
		l.other[i] = v.With(door, "other", name)
	}
	return l
}

// Count counts a question about the family at a place of the list; another
// place counts as "other".
func (l *Lookups) Count(place int, outcome Outcome) {
	if place < 0 || place >= len(l.counters) {
		l.other[outcome].Add(1)
		return
	}
	l.counters[place][outcome].Add(1)
}
