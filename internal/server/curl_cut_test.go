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
	f := func(verb, family, column string, length int, cut bool) {
		t.Helper()
		before := counted(family, column)
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
		if got := counted(family, column) > before; got != cut {
			t.Errorf("%s of %s with %d escaped bytes: counted as cut is %v, want %v", verb, column, length, got, cut)
		}
	}
	for _, verb := range []string{"single", "multi", "store", "update", "lookup of update"} {
		f(verb, "ps_endpoints", "callerid", 252, false)
		f(verb, "ps_endpoints", "callerid", 253, true)
		f(verb, "ps_endpoints", "callerid", 254, true)
		f(verb, "ps_endpoints", "callerid", 255, true)
		f(verb, "ps_endpoints", "callerid", 256, false) // another client sent it
		f(verb, "ps_endpoints", "callerid", 199, false)
	}
	for _, verb := range []string{"destroy", "static", "update2"} {
		family, column := "voicemail", "fullname"
		if verb == "static" {
			family, column = "ast_config", "file"
		}
		f(verb, family, column, 196, false)
		f(verb, family, column, 197, true)
		f(verb, family, column, 198, true)
		f(verb, family, column, 199, true)
		f(verb, family, column, 200, false)
		f(verb, family, column, 255, false)
	}
	if lines := log.lines("level=WARN", "column=callerid", "family=ps_endpoints", "cut"); len(lines) != 1 {
		t.Errorf("the log has %d lines about callerid, want 1", len(lines))
	}
}
