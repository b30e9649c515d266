package realtime

import (
	"iter"
	"slices"
	"time"

	"asterism/internal/directory"
	"asterism/internal/trace"
)

// seen is what those who trace are told of a request beside what its exchange
// holds anyway.
type seen struct {
	since   time.Time // zero: nobody traces
	outcome trace.Outcome
	why     string // it failed
	count   int    // of rows
	written []pair
	rows    []directory.Row         // answered, kept while somebody traces
	all     iter.Seq[directory.Row] // of a whole table, instead of rows
}

// traced tells whether somebody traced when the request began.
func (x *exchange) traced() bool { return !x.seen.since.IsZero() }

// tell hands the request and its answer to those who trace.
func (x *exchange) tell() {
	e := trace.Exchange{
		Time: x.seen.since, Took: x.door.Now().Sub(x.seen.since), Client: x.request.Client, Wire: "curl", Verb: x.verb.String(),
		Table: x.table, Family: string(x.family), Conditions: x.conditions,
		Outcome: x.seen.outcome, Why: x.seen.why, Count: x.seen.count, Answer: x.seen.all,
	}
	if e.Answer == nil {
		e.Answer = slices.Values(x.seen.rows)
	}
	for _, p := range x.seen.written {
		e.Fields = append(e.Fields, trace.Field{Name: p.name, Value: p.value})
	}
	x.door.Trace.Note(&e)
}
