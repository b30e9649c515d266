package realtime

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"asterism/internal/absent"
	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/meter"
	"asterism/internal/trace"
)

// Writes is what the door needs of package control.
type Writes interface {
	Update(ctx context.Context, family string, conditions []directory.Condition, values []directory.Value) (int, error)
	Store(ctx context.Context, family string, values []directory.Value) (int, error)
	Destroy(ctx context.Context, family string, conditions []directory.Condition) (int, error)
	Require(family string, columns []string) bool
}

// Door answers the curl wire.
type Door struct {
	Directory *directory.Directory
	Writes    Writes
	Lookups   *meter.Lookups
	Truncated *meter.Vector // by family, column
	Rejected  *meter.Vector // by reason
	Trace     *trace.Tracers
	Absent    *absent.Keys
	Log       *slog.Logger
	Now       func() time.Time

	exchanges sync.Pool
	pages     sync.Pool // of *[]byte, for streams
	once      meter.Once
}

// exchange is the reusable state of one request.
type exchange struct {
	door       *Door
	request    Request
	family     []byte
	verb       verb
	query      []byte
	place      int
	table      *directory.Table
	pairs      []pair
	scratch    []byte
	conditions []directory.Condition
	now        int64 // of a question, in seconds since 1970
	seen       seen
}

// Answer answers a request to /rt/; the body is appended to dst.
func (d *Door) Answer(ctx context.Context, dst []byte, r Request) Response {
	start := d.Now()
	x, ok := d.exchanges.Get().(*exchange)
	if !ok {
		x = &exchange{}
	}
	response := x.serve(ctx, d, dst, r)
	d.exchanges.Put(x)
	if !response.Slow {
		d.Lookups.Seconds.Observe(d.Now().Sub(start))
	}
	return response
}

// serve answers one request and is ready for the next.
func (x *exchange) serve(ctx context.Context, d *Door, dst []byte, r Request) Response {
	x.door, x.request = d, r
	x.family, x.verb, x.query = split(r.URI)
	view := d.Directory.View()
	x.place, x.table = view.Place(x.family), view.Table(x.family)
	if d.Trace.Wanted() {
		x.seen.since = d.Now()
	}
	response := x.answer(ctx, dst)
	if x.traced() && !response.Slow {
		x.tell()
	}
	if r.Recent != nil && x.table != nil && !response.Slow {
		r.Recent.note(x)
	}
	x.reset()
	return response
}

func (x *exchange) reset() {
	clear(x.pairs) // they point into the request
	clear(x.conditions)
	*x = exchange{pairs: x.pairs[:0], scratch: x.scratch[:0], conditions: x.conditions[:0]}
}

func (x *exchange) answer(ctx context.Context, dst []byte) Response {
	if x.table == nil || x.verb == unknownVerb {
		x.noteUnknown()
		return x.failed(dst, http.StatusNotFound, "unknown family or verb")
	}
	switch x.verb {
	case single, multi:
		return x.read(dst)
	}
	if x.request.Quick {
		return Response{Slow: true, Body: dst}
	}
	switch x.verb {
	case static:
		return x.static(dst)
	}
	return x.write(ctx, dst)
}

// failed answers in the wire's own way: nothing, or -1 where a number is read.
func (x *exchange) failed(dst []byte, status int, reason string) Response {
	x.door.Lookups.Count(x.place, meter.Failed)
	x.door.Rejected.With(reason).Add(1)
	x.seen.outcome, x.seen.why = trace.Failed, reason
	if x.verb.counts() {
		dst = append(dst, "-1"...)
	}
	return Response{Status: status, Body: dst}
}

// read answers single and multi.
func (x *exchange) read(dst []byte) Response {
	if reason := x.parse(x.query, x.request.Body); reason != "" {
		return x.failed(dst, http.StatusBadRequest, reason)
	}
	if !x.bindConditions(x.pairs) {
		return x.failed(dst, http.StatusOK, "unknown operator")
	}
	x.now = x.door.Now().Unix()
	query := directory.Query{Conditions: x.conditions, Now: x.now, Quick: x.request.Quick, AOR: x.request.Recent.about(x)}
	if x.verb == single {
		row, result := x.table.First(query)
		if result.Slow {
			return Response{Slow: true, Body: dst}
		}
		x.note(result)
		if x.traced() && result.Rows > 0 {
			x.seen.rows = append(x.seen.rows, row)
		}
		return Response{Status: http.StatusOK, Body: append(dst, row.Curl()...)}
	}
	return x.list(dst, query)
}

// parse reads forms behind the pairs that are there.
func (x *exchange) parse(forms ...[]byte) (reason string) {
	for _, form := range forms {
		if x.pairs, x.scratch, reason = parse(form, x.pairs, x.scratch); reason != "" {
			return reason
		}
	}
	return ""
}

// bindConditions makes conditions of pairs whose names may carry operators.
func (x *exchange) bindConditions(pairs []pair) bool {
	for _, p := range pairs {
		column, op, ok := operator(p.name)
		if !ok {
			x.door.Log.Warn("a question with an operator that is unknown: answered with nothing", "name", string(p.name), "family", string(x.family), "client", x.client())
			return false
		}
		x.conditions = append(x.conditions, directory.Condition{Column: column, Op: op, Value: p.value})
	}
	return true
}

// note counts how a question went; it logs, once, questions that no index serves and conditions on
// columns that the family lacks.
func (x *exchange) note(result directory.Result) {
	x.noteCut(255)
	x.seen.count = result.Rows
	if result.Rows > 0 {
		x.seen.outcome = trace.Hit
		x.door.Lookups.Count(x.place, meter.Hit)
	} else {
		x.seen.outcome = trace.Miss
		x.door.Lookups.Count(x.place, meter.Miss)
		if result.Unknown == 0 {
			x.door.Absent.Missed(x.request.Client.Addr(), x.table.Family().Name, x.conditions, x.now)
		}
	}
	if !result.Scanned && result.Unknown == 0 {
		return
	}
	name := x.table.Family().Name
	columns := string(bytes.Join(columnsOf(x.conditions), []byte(",")))
	switch {
	case result.Unknown > 0:
		column := string(x.conditions[result.Unknown-1].Column)
		x.door.Rejected.With("unknown column").Add(1)
		x.seen.why = "the table has no column " + column
		if x.door.once.First("column " + name + "." + column) {
			x.door.Log.Warn("a question about a column that the table lacks: answered with nothing", "family", name, "column", column, "client", x.client())
		}
	case x.door.once.First("scan " + name + " " + columns):
		x.door.Log.Warn("a question that no index serves: every row is looked at", "family", name, "columns", columns,
			"hint", "in [families] of asterism.toml: index."+name+` = ["`+columns+`"]`)
	}
}

func columnsOf(conditions []directory.Condition) [][]byte {
	out := make([][]byte, len(conditions))
	for i, c := range conditions {
		out[i] = c.Column
	}
	return out
}

// noteCut counts values that stock Asterisk probably cut: it escapes each into
// a buffer and stops before the piece that would not fit, so what arrives is at
// most limit bytes long and no more than two shorter.
func (x *exchange) noteCut(limit int) {
	for _, p := range x.pairs {
		if p.escaped < limit-2 || p.escaped > limit {
			continue
		}
		column, _, _ := operator(p.name)
		name := x.table.Family().Name
		x.door.Truncated.With(name, string(column)).Add(1)
		if x.door.once.First("cut " + name + "." + string(column)) {
			x.door.Log.Warn("stock Asterisk probably cut a value: res_config_curl sends at most this many escaped bytes", "family", name,
				"column", string(column), "bytes", limit, "client", x.client())
		}
	}
}

// statusOf maps kinds of failure to HTTP, though only people read it.
func statusOf(err error) int {
	switch failure.KindOf(err) {
	case failure.Invalid, failure.Unknown:
		return http.StatusBadRequest
	case failure.Refused:
		return http.StatusConflict
	case failure.Unavailable, failure.Full:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// client is the asking address, for logs.
func (x *exchange) client() string {
	if !x.request.Client.IsValid() {
		return ""
	}
	return x.request.Client.String()
}
