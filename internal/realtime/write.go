package realtime

import (
	"bytes"
	"context"
	"net/http"
	"strconv"

	"asterism/internal/directory"
	"asterism/internal/meter"
)

// write answers update, store, destroy and require: always a number.
func (x *exchange) write(ctx context.Context, dst []byte) Response {
	conditions, values, ok := x.parts()
	if !ok {
		x.door.Log.Warn("a write that can't be read: nothing was changed", "family", string(x.family), "client", x.client())
		return x.failed(dst, http.StatusBadRequest, "malformed write")
	}
	if !x.bindConditions(conditions) {
		return x.failed(dst, http.StatusBadRequest, "unknown operator")
	}
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
		return x.failed(dst, statusOf(err), "failed write")
	}
	x.door.Lookups.Count(x.place, meter.Wrote)
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
func (x *exchange) parts() (conditions, values []pair, ok bool) {
	query, body := x.query, x.request.Body
	if x.verb == update {
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
		if broken := bytes.HasPrefix(query, []byte("&")); broken {
			limit = 199
			if x.pairs, ok = recoverPairs(query, x.table.Columns(), x.pairs); !ok {
				return nil, nil, false
			}
		} else if x.pairs, x.scratch, ok = parse(query, x.pairs, x.scratch); !ok {
			return nil, nil, false
		}
		named := len(x.pairs)
		if bytes.HasPrefix(body, []byte("&")) {
			x.pairs, ok = recoverPairs(body, x.table.Columns(), x.pairs)
		} else {
			x.pairs, x.scratch, ok = parse(body, x.pairs, x.scratch)
		}
		x.noteCut(limit)
		return x.pairs[:named], x.pairs[named:], ok && named > 0 && named < len(x.pairs)
	}
	if x.pairs, x.scratch, ok = parse(body, x.pairs, x.scratch); !ok || len(x.pairs) == 0 {
		return nil, nil, false
	}
	if x.verb == destroy {
		x.noteCut(199)
		return x.pairs, nil, true
	}
	x.noteCut(255)
	return nil, x.pairs, true
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
	return Response{Status: http.StatusOK, Body: append(dst, '0')}
}
