package realtime

import (
	"net/http"

	"asterism/internal/directory"
	"asterism/internal/meter"
	"asterism/internal/trace"
)

// static answers a whole configuration file, includes expanded: with curl an
// include that is itself mapped overwrites the buffer that is being parsed.
func (x *exchange) static(dst []byte) Response {
	if reason := x.parse(x.query); reason != "" {
		return x.failed(dst, http.StatusBadRequest, reason)
	}
	if !x.table.HasStatic() {
		return x.failed(dst, http.StatusBadRequest, malformedQuestion)
	}
	x.noteCut(199)
	file := ""
	for _, p := range x.pairs {
		if string(p.name) == "file" {
			file = string(p.value)
			x.conditions = append(x.conditions[:0], directory.Condition{Column: p.name, Value: p.value})
		}
	}
	lines := x.table.Static(file)
	outcome := meter.Miss
	x.seen.outcome, x.seen.count = trace.Miss, len(lines)
	for _, line := range lines {
		dst = appendLine(dst, line)
		outcome, x.seen.outcome = meter.Hit, trace.Hit
	}
	x.door.Lookups.Count(x.place, outcome)
	return Response{Status: http.StatusOK, Body: dst}
}

// appendLine writes all four keys, also when empty: Asterisk carries the values
// over from the line before.
func appendLine(dst []byte, line directory.StaticLine) []byte {
	dst = append(dst, "cat_metric="...)
	dst = directory.AppendEscaped(dst, line.CatMetric)
	dst = append(dst, "&category="...)
	dst = directory.AppendEscaped(dst, line.Category)
	dst = append(dst, "&var_name="...)
	dst = directory.AppendEscaped(dst, line.VarName)
	dst = append(dst, "&var_val="...)
	dst = directory.AppendEscaped(dst, line.VarVal)
	return append(dst, '\n')
}
