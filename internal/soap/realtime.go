package soap

import (
	"context"
	"fmt"
	"strconv"

	"asterism/internal/directory"
	"asterism/internal/meter"
	"asterism/internal/trace"
)

// read answers RealtimeSingle and RealtimeMulti.
func (x *exchange) read(dst []byte) ([]byte, error) {
	table, err := x.table()
	if err != nil {
		return nil, err
	}
	x.bindConditions()
	dst = x.open(dst)
	one := x.request.Op == RealtimeSingle
	columns := table.Columns()
	query := directory.Query{Conditions: x.conditions, Now: x.door.Now().Unix(), Quick: x.call.Quick}
	traced := x.traced()
	result := table.Find(query, func(row directory.Row) bool {
		if traced {
			x.seen.rows = append(x.seen.rows, row)
		}
		dst = AppendRowOpen(dst)
		for i := range row.Len() {
			if column, value := row.At(i); column < columns.Len() {
				dst = AppendField(dst, columns.Name(column), value)
			}
		}
		dst = AppendRowClose(dst)
		return !one
	})
	if result.Slow {
		return nil, errSlow
	}
	if result.Unknown > 0 {
		return nil, clientFault(fmt.Sprintf("%s has no column %q", table.Family().Name, x.conditions[result.Unknown-1].Column))
	}
	outcome := meter.Hit
	x.seen.outcome, x.seen.count = trace.Hit, result.Rows
	if result.Rows == 0 {
		outcome, x.seen.outcome = meter.Miss, trace.Miss
		x.door.Absent.Missed(x.call.Client.Addr(), table.Family().Name, x.conditions, query.Now)
	}
	x.door.Lookups.Count(x.place, outcome)
	return dst, nil
}

// bindConditions turns the call's conditions into the directory's; the parser
// knows the operators already.
func (x *exchange) bindConditions() {
	for _, c := range x.request.Conditions {
		op, _ := directory.ParseOp(c.Operator)
		x.conditions = append(x.conditions, directory.Condition{Column: c.Column, Op: op, Value: c.Value})
	}
}

// static answers RealtimeStatic from the family ast_config.
func (x *exchange) static(dst []byte) ([]byte, error) {
	x.place = x.view.Place([]byte(staticFamily))
	dst = x.open(dst)
	table := x.view.Table([]byte(staticFamily))
	if table == nil || !table.HasStatic() {
		return nil, serverFault("the store has no table " + staticFamily)
	}
	outcome := meter.Miss
	x.seen.outcome = trace.Miss
	for _, line := range table.Static(string(x.request.File.Value)) {
		metric, err := strconv.Atoi(line.CatMetric)
		if err != nil {
			return nil, fmt.Errorf("cat_metric %q of %s: %w", line.CatMetric, staticFamily, err)
		}
		outcome, x.seen.outcome = meter.Hit, trace.Hit
		x.seen.count++
		dst = AppendLine(dst, Line[string]{Category: line.Category, VarName: line.VarName, VarVal: line.VarVal, CatMetric: metric})
	}
	x.door.Lookups.Count(x.place, outcome)
	return dst, nil
}

// staticFamily is the table of configuration files (static realtime).
const staticFamily = "ast_config"

func (x *exchange) require(dst []byte) ([]byte, error) {
	if _, err := x.table(); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(x.request.Columns))
	for _, c := range x.request.Columns {
		names = append(names, string(c.Name))
	}
	ok := x.door.Writes.Require(string(x.request.Family.Value), names)
	x.door.Lookups.Count(x.place, meter.Hit)
	if x.seen.outcome = trace.Hit; !ok {
		x.seen.outcome = trace.Miss
	}
	return AppendOK(x.open(dst), ok), nil
}

// write answers RealtimeUpdate, RealtimeStore and RealtimeDestroy.
func (x *exchange) write(ctx context.Context, dst []byte) ([]byte, error) {
	if _, err := x.table(); err != nil {
		return nil, err
	}
	if x.call.HungUp != nil && x.call.HungUp() {
		return nil, serverFault("the client hung up")
	}
	x.bindConditions()
	count, err := x.change(ctx)
	if err != nil {
		x.door.Log.Warn("a write over SOAP failed", "family", string(x.request.Family.Value), "error", err)
		return nil, err
	}
	x.door.Lookups.Count(x.place, meter.Wrote)
	x.seen.outcome, x.seen.count = trace.Wrote, count
	x.view = x.door.Directory.View() // the answer's revision shows the write
	return AppendCount(x.open(dst), count), nil
}

func (x *exchange) change(ctx context.Context) (int, error) {
	name := string(x.request.Family.Value)
	switch x.request.Op {
	case RealtimeUpdate:
		return x.door.Writes.Update(ctx, name, x.conditions, x.values())
	case RealtimeStore:
		return x.door.Writes.Store(ctx, name, x.values())
	default:
		return x.door.Writes.Destroy(ctx, name, x.conditions)
	}
}

// values gives what the call's fields write.
func (x *exchange) values() []directory.Value {
	var g directory.Grouping
	for _, f := range x.request.Fields {
		g.Add(f.Name, f.Value)
	}
	return g.Values()
}
