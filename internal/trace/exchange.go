package trace

import (
	"iter"
	"net/netip"
	"time"

	"asterism/internal/directory"
)

// Outcome is how an exchange ended.
type Outcome string

const (
	Hit    Outcome = "hit"
	Miss   Outcome = "miss"
	Wrote  Outcome = "wrote"
	Failed Outcome = "failed"
)

// NotEnabled is why a number is a miss that is there.
const NotEnabled = "the number is not enabled"

// Require is the one verb whose fields are names of columns and their types.
const Require = "require"

// Exchange is one question or write as a door saw it. What it points to is read
// only while [Tracers.Note] runs.
type Exchange struct {
	Time       time.Time // when the question was there as a whole
	Took       time.Duration
	Client     netip.AddrPort
	Wire       string           // curl, lookup or soap
	Verb       string           // as in the URL, or the operation of SOAP
	Table      *directory.Table // nil: nobody knows the family
	Family     string           // as it was asked, where Table is nil
	Conditions []directory.Condition
	Fields     []Field // what a write writes
	Outcome    Outcome
	Why        string                  // it failed, or is a miss
	Count      int                     // of rows answered, or matched by a write
	Answer     iter.Seq[directory.Row] // the rows answered; nil: none
}

// Field is a column and its value.
type Field struct{ Name, Value []byte }

// family is the name under which lines tell of it.
func (e *Exchange) family() string {
	if e.Table == nil {
		return e.Family
	}
	return e.Table.Family().Name
}

// each yields the answered rows.
func (e *Exchange) each(yield func(directory.Row) bool) {
	if e.Answer != nil {
		e.Answer(yield)
	}
}

// static tells whether the table holds lines of .conf files.
func (e *Exchange) static() bool { return e.Table != nil && e.Table.HasStatic() }
