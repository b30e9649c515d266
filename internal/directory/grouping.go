package directory

// Grouping collects the fields of a write by column, in the order of their first
// appearance: a repeated one means several values, an empty one clears. Texts are
// copied, since writes outlive the request that they came in. The zero Grouping
// is ready.
type Grouping struct {
	values []Value
	place  map[string]int
}

// Add adds one field.
func (g *Grouping) Add(column, value []byte) {
	at, seen := g.place[string(column)]
	if !seen {
		if g.place == nil {
			g.place = make(map[string]int)
		}
		at = len(g.values)
		g.place[string(column)] = at
		g.values = append(g.values, Value{Column: string(column)})
	}
	if len(value) > 0 {
		g.values[at].Values = append(g.values[at].Values, string(value))
	}
}

// Values gives what was added.
func (g *Grouping) Values() []Value { return g.values }
