package realtime

import (
	"bytes"
	"net/http"

	"asterism/internal/meter"
	"asterism/internal/number"
)

// Lookup answers /lookup?number=N[&tenant=T][&field=codecs|destination|note],
// for the dialplan: SET(CODECS=${CURL(http://.../lookup?number=${EXTEN})}).
// Unknown is 200 and empty; what can't be meant is 400 and empty, among it a
// ";", which people type for "&" and which would else be part of the number.
func (d *Door) Lookup(dst []byte, query []byte) Response {
	start := d.Now()
	var buffer [8]pair
	var scratch [256]byte
	bad := func(reason string) Response {
		d.Rejected.With(reason).Add(1)
		return Response{Status: http.StatusBadRequest, Body: dst}
	}
	table := d.Directory.View().Table([]byte(number.Family))
	pairs, _, reason := parse(query, buffer[:0], scratch[:0])
	if reason != "" {
		return bad(reason)
	}
	if table == nil || bytes.IndexByte(query, ';') >= 0 {
		return bad(malformedQuestion)
	}
	var asked, tenant []byte
	field := "codecs"
	for _, p := range pairs {
		switch string(p.name) {
		case "number":
			asked = p.value
		case "tenant":
			tenant = p.value
		case "field":
			field = string(p.value)
		default:
			return bad(malformedQuestion)
		}
	}
	if len(asked) == 0 || field != "codecs" && field != "destination" && field != "note" {
		return bad(malformedQuestion)
	}
	place := d.Directory.View().Place([]byte(number.Family))
	entry, found := number.Lookup(table, tenant, asked)
	outcome := meter.Miss
	if found && entry.Enabled() {
		outcome = meter.Hit
		text := entry.Text(field)
		if field == "codecs" {
			text = entry.Codecs()
		}
		dst = append(dst, text...)
	}
	d.Lookups.Count(place, outcome)
	d.Lookups.Seconds.Observe(d.Now().Sub(start))
	return Response{Status: http.StatusOK, Body: dst}
}
