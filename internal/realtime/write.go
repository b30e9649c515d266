package realtime

import (
	"bytes"
	"context"
	"net/http"
	"strconv"

	"asterism/internal/directory"
	"asterism/internal/meter"
	"asterism/internal/trace"
)

// write answers update, store, destroy and require: always a number.
func (x *exchange) write(ctx context.Context, dst []byte) Response {
	conditions, values, reason := x.parts()
	if reason != "" {
		x.door.Log.Warn("a write that can't be read: nothing was changed", "reason", reason, "family", string(x.family), "client", x.client())
		return x.failed(dst, http.StatusBadRequest, reason)
	}
	if !x.bindConditions(conditions) {
		return x.failed(dst, http.StatusBadRequest, "unknown operator")
	}
	x.seen.written = values
	name := x.table.Family().Name
	if x.verb == require {
		return x.require(dst, name, values)
	}
	if x.request.HungUp != nil && x.request.HungUp() {
		return x.failed(dst, http.StatusRequestTimeout, "client hung up")
	}
	matched, err := x.change(ctx, name, values)
	if err != nil {
		x.door.Log.Warn("a write of Asterisk failed: answered -1", "family", name, "client", x.client(), "error", err)
		response := x.failed(dst, statusOf(err), "failed write")
		x.seen.why = err.Error()
		return response
	}
	x.door.Lookups.Count(x.place, meter.Wrote)
	x.seen.outcome, x.seen.count = trace.Wrote, matched
	return Response{Status: http.StatusOK, Body: strconv.AppendInt(dst, int64(matched), 10)}
}

func (x *exchange) change(ctx context.Context, name string, values []pair) (int, error) {
	switch x.verb {
	case update:
		return x.door.Writes.Update(ctx, name, x.conditions, valuesOf(values))
	case store:
		return x.door.Writes.Store(ctx, name, valuesOf(values))
	default:
		return x.door.Writes.Destroy(ctx, name, x.conditions)
	}
}

// parts takes a write apart into the pairs that name rows and those that change
// them.
func (x *exchange) parts() (conditions, values []pair, reason string) {
	if x.verb == update {
		return x.partsOfUpdate()
	}
	if reason := x.parse(x.request.Body); reason != "" {
		return nil, nil, reason
	}
	if len(x.pairs) == 0 {
		return nil, nil, malformedWrite
	}
	if x.verb == destroy {
		x.noteCut(199)
		return x.pairs, nil, ""
	}
	x.noteCut(255)
	return nil, x.pairs, ""
}

func (x *exchange) partsOfUpdate() (conditions, values []pair, reason string) {
	query, body := x.query, x.request.Body
	// An unbalanced "(" in the lookup value hides the comma between URL and
	// data from Asterisk's own parser: all comes in the URL, mostly as GET.
	// A literal comma can come from nowhere else.
	if before, after, found := bytes.Cut(query, []byte(",")); found {
		query = before
		if len(body) == 0 {
			body = after
		}
	}
	limit := 255
	if bytes.HasPrefix(query, []byte("&")) {
		limit = 199
	}
	if reason := x.parseOrRecover(query); reason != "" {
		return nil, nil, reason
	}
	named := len(x.pairs)
	if reason := x.parseOrRecover(body); reason != "" {
		return nil, nil, reason
	}
	x.noteCut(limit)
	if named == 0 || named == len(x.pairs) {
		return nil, nil, malformedWrite
	}
	return x.pairs[:named], x.pairs[named:], ""
}

// parseOrRecover reads a form as update or as update2 sends it.
func (x *exchange) parseOrRecover(form []byte) (reason string) {
	if !bytes.HasPrefix(form, []byte("&")) {
		return x.parse(form)
	}
	x.pairs, reason = recoverPairs(form, x.table.Columns(), x.pairs)
	return reason
}

// valuesOf gives what pairs write.
func valuesOf(pairs []pair) []directory.Value {
	var g directory.Grouping
	for _, p := range pairs {
		g.Add(p.name, p.value)
	}
	return g.Values()
}

// require answers 0 when the family has the columns, as far as anybody cares.
func (x *exchange) require(dst []byte, name string, pairs []pair) Response {
	columns := make([]string, len(pairs))
	for i, p := range pairs {
		columns[i] = string(p.name)
	}
	if !x.door.Writes.Require(name, columns) {
		return x.failed(dst, http.StatusOK, "required column")
	}
	x.door.Lookups.Count(x.place, meter.Hit)
	x.seen.outcome = trace.Hit
	return Response{Status: http.StatusOK, Body: append(dst, '0')}
}
