package soap

import (
	"slices"
	"time"

	"asterism/internal/directory"
	"asterism/internal/meter"
	numbers "asterism/internal/number"
	"asterism/internal/trace"
)

// seen is what those who trace are told of a call beside what its exchange holds
// anyway.
type seen struct {
	since   time.Time // zero: nobody traces
	outcome trace.Outcome
	why     string // it failed, or is a miss
	count   int    // of rows
	rows    []directory.Row
}

// traced tells whether somebody traced when the call began.
func (x *exchange) traced() bool { return !x.seen.since.IsZero() }

// answered notes the answer to a question about a number.
func (x *exchange) answered(outcome meter.Outcome, row directory.Row) {
	x.seen.outcome = trace.Miss
	if outcome != meter.Hit {
		return
	}
	x.seen.outcome, x.seen.count = trace.Hit, 1
	if x.traced() {
		x.seen.rows = append(x.seen.rows, row)
	}
}

// missedNumber counts a number that nobody knows.
func (x *exchange) missedNumber() {
	r := &x.request
	conditions := [2]directory.Condition{{Column: []byte("number"), Value: r.Number.Value}, {Column: []byte("tenant"), Value: r.Tenant.Value}}
	named := 1
	if len(r.Tenant.Value) > 0 {
		named = 2
	}
	x.door.Absent.Missed(x.call.Client.Addr(), numbers.Family, conditions[:named], x.door.Now().Unix())
}

// tell hands the call and its answer to those who trace.
func (x *exchange) tell() {
	r := &x.request
	e := trace.Exchange{
		Time: x.seen.since, Took: x.door.Now().Sub(x.seen.since), Client: x.call.Client, Wire: "soap", Verb: r.Op.String(),
		Family: string(r.Family.Value), Conditions: x.conditions,
		Outcome: x.seen.outcome, Why: x.seen.why, Count: x.seen.count, Answer: slices.Values(x.seen.rows),
	}
	if x.place >= 0 {
		e.Table = x.view.Tables()[x.place]
	}
	switch r.Op {
	case GetCodecs, LookupNumber:
		e.Conditions = []directory.Condition{{Column: []byte("number"), Value: r.Number.Value}}
		if len(r.Tenant.Value) > 0 {
			e.Conditions = append(e.Conditions, directory.Condition{Column: []byte("tenant"), Value: r.Tenant.Value})
		}
	case RealtimeStatic:
		e.Conditions = []directory.Condition{{Column: []byte("file"), Value: r.File.Value}}
	}
	for _, f := range r.Fields {
		e.Fields = append(e.Fields, trace.Field{Name: f.Name, Value: f.Value})
	}
	x.door.Trace.Note(&e)
}
