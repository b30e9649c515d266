package directory

import "asterism/internal/family"

// Matcher tells whether rows that are not in the directory satisfy conditions:
// rows that a write transaction reads from SQL. It has the same rules as Find.
type Matcher struct {
	columns *Columns
	bounds  []bound
}

// NewColumns gives the columns of a family and of the named extra values.
func NewColumns(f *family.Family, extra []string) *Columns {
	c := newColumns(f)
	for _, name := range missing(c, extra) {
		c = c.with(name, f.Split(name))
	}
	return c
}

// Matcher binds conditions to the columns; unknown is 1 + the condition whose
// column is not among them, or 0.
func (c *Columns) Matcher(f *family.Family, conditions []Condition) (m Matcher, unknown int) {
	expires := -1
	if f.Expires != "" {
		expires = c.exact[f.Expires]
	}
	m.columns = c
	for i, condition := range conditions {
		b, ok := c.bind(condition, expires)
		if !ok {
			return m, i + 1
		}
		m.bounds = append(m.bounds, b)
	}
	return m, 0
}

// Match tells whether the row satisfies all conditions.
func (m *Matcher) Match(r Row) bool {
	for i := range m.bounds {
		if !m.bounds[i].match(r) {
			return false
		}
	}
	return true
}
