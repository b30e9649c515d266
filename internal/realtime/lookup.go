package realtime

import (
	"bytes"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"asterism/internal/directory"
	"asterism/internal/meter"
	"asterism/internal/number"
	"asterism/internal/trace"
)

// Lookup answers /lookup?number=N[&tenant=T][&field=codecs|destination|note],
// for the dialplan: SET(CODECS=${CURL(http://.../lookup?number=${EXTEN})}).
// Unknown is 200 and empty; what can't be meant is 400 and empty, among it a
// ";", which people type for "&" and which would else be part of the number.
func (d *Door) Lookup(dst []byte, query []byte, client netip.AddrPort) Response {
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
	switch {
	case found && entry.Enabled():
		outcome = meter.Hit
		text := entry.Text(field)
		if field == "codecs" {
			text = entry.Codecs()
		}
		dst = append(dst, text...)
	case !found:
		d.missed(asked, tenant, asker{client, start, field})
	}
	d.Lookups.Count(place, outcome)
	d.Lookups.Seconds.Observe(d.Now().Sub(start))
	if d.Trace.Wanted() {
		d.tellLookup(asked, tenant, asker{client, start, field})
	}
	return Response{Status: http.StatusOK, Body: dst}
}

// asker is who asks, since when, and for which field.
type asker struct {
	client netip.AddrPort
	since  time.Time
	field  string
}

// missed counts a number that nobody knows.
func (d *Door) missed(asked, tenant []byte, by asker) {
	conditions := [2]directory.Condition{{Column: []byte("number"), Value: asked}, {Column: []byte("tenant"), Value: tenant}}
	named := 1
	if len(tenant) > 0 {
		named = 2
	}
	d.Absent.Missed(by.client.Addr(), number.Family, conditions[:named], by.since.Unix())
}

// tellLookup hands a question to those who trace. It copies what the question
// says: else the compiler would move every question's memory to the heap.
func (d *Door) tellLookup(asked, tenant []byte, by asker) {
	digits, of := bytes.Clone(asked), bytes.Clone(tenant)
	table := d.Directory.View().Table([]byte(number.Family))
	e := trace.Exchange{
		Time: by.since, Took: d.Now().Sub(by.since), Client: by.client, Wire: "lookup", Verb: by.field, Table: table, Outcome: trace.Miss,
		Conditions: []directory.Condition{{Column: []byte("number"), Value: digits}},
	}
	if len(of) > 0 {
		e.Conditions = append(e.Conditions, directory.Condition{Column: []byte("tenant"), Value: of})
	}
	switch entry, found := number.Lookup(table, of, digits); {
	case found && entry.Enabled():
		e.Outcome, e.Count, e.Answer = trace.Hit, 1, slices.Values([]directory.Row{entry.Row()})
	case found:
		e.Why = trace.NotEnabled
	}
	d.Trace.Note(&e)
}
