package server

import (
	"strings"
	"testing"
)

// TestValuesThatAsteriskCutAreCounted: it sends at most 255 escaped bytes of a
// value (199 with update2, destroy and static) and never splits a %XX.
func TestValuesThatAsteriskCutAreCounted(t *testing.T) {
	t.Parallel()
	s, _, log := seededLogging(t, `INSERT INTO voicemail (context, mailbox, password) VALUES ('default', '1001', '1')`)
	of := func(length int) string { return strings.Repeat("x", length-3) + "%20" }
	counted := func(family, column string) float64 {
		return s.metric(t, `asterism_truncated_values_total{column="`+column+`",family="`+family+`"}`)
	}
	ask := func(verb, family, column string, length int) {
		t.Helper()
		text := column + "=" + of(length)
		switch verb {
		case "static":
			s.get(t, "/rt/"+family+"/static?"+text)
		case "update":
			s.ask(t, "/rt/"+family+"/update?id=6001", text)
		case "lookup of update":
			s.ask(t, "/rt/"+family+"/update?"+text, "context=in")
		case "update2":
			s.ask(t, "/rt/"+family+"/update?&context=defaultmailbox=1001", "&"+text)
		default:
			s.ask(t, "/rt/"+family+"/"+verb, text+"&context=in")
		}
	}
	before := make(map[string]float64)
	f := func(verb, family, column string, want float64, lengths ...int) {
		t.Helper()
		for _, length := range lengths {
			ask(verb, family, column, length)
		}
		after := counted(family, column)
		if got := after - before[column]; got != want {
			t.Errorf("%s of %s with %v escaped bytes: %v counted as cut, want %v", verb, column, lengths, got, want)
		}
		before[column] = after
	}
	for _, verb := range []string{"single", "multi", "store", "update", "lookup of update"} {
		f(verb, "ps_endpoints", "callerid", 3, 253, 254, 255)
		f(verb, "ps_endpoints", "callerid", 0, 199, 252, 256) // longer: another client sent it
	}
	for _, verb := range []string{"destroy", "static", "update2"} {
		family, column := "voicemail", "fullname"
		if verb == "static" {
			family, column = "ast_config", "file"
		}
		f(verb, family, column, 3, 197, 198, 199)
		f(verb, family, column, 0, 196, 200, 255)
	}
	if lines := log.lines("level=WARN", "column=callerid", "family=ps_endpoints", "cut"); len(lines) != 1 {
		t.Errorf("the log has %d lines about callerid, want 1", len(lines))
	}
}
