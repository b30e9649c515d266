package server

import (
	"fmt"
	"strings"
	"testing"
)

func TestColumnsOfANewerAsterisk(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	o := outside(t, cfg)
	log := &logbook{}
	s := startLogging(t, cfg, log)
	const contact = "id=" + contactID + "&uri=sip%3A6001%40203.0.113.7%3A5060&qualify_2xx_only=no&some_future_flag=yes&expiration_time=4102444800"
	const row = "id=" + contactID + "&uri=sip%3A6001%40203.0.113.7%3A5060&expiration_time=4102444800&qualify_2xx_only=no&some_future_flag=yes"
	for range 3 {
		if got := s.ask(t, "/rt/ps_contacts/store", contact); got != "1" {
			t.Fatalf("store answers %q", got)
		}
		if got := s.ask(t, "/rt/ps_contacts/update?id="+contactID, "some_future_flag=yes"); got != "1" {
			t.Fatalf("update answers %q", got)
		}
	}
	kept := func() string {
		return o.text("SELECT group_concat(family || ' ' || row_key || ' ' || col || ' ' || value) FROM asterism_extra")
	}
	f := func(when string) {
		t.Helper()
		if got := s.ask(t, "/rt/ps_contacts/single", "id="+contactID); got != row {
			t.Errorf("%s: %q, want %q", when, got, row)
		}
	}
	f("laid over SQL")
	const extra = `ps_contacts ["6001^3B@c4fa77590513a6b0e3a4223d63c49aac"] some_future_flag yes`
	soon(t, "the value is kept in SQL", func() bool { return kept() == extra })
	soon(t, "the spool is empty", func() bool { return s.metric(t, "asterism_spool_entries") == 0 })
	f("read back from SQL")
	if got := o.text("SELECT count(*) FROM pragma_table_info('ps_contacts') WHERE name = 'some_future_flag'"); got != "0" {
		t.Error("the table was altered")
	}
	// One line and one count for each family and column, not for each request.
	if lines := log.lines("level=WARN", "some_future_flag", "ps_contacts"); len(lines) != 1 {
		t.Errorf("the log has %d lines about the column, want 1: %q", len(lines), lines)
	}
	if n := s.metric(t, `asterism_unknown_columns_total{family="ps_contacts"}`); n != 1 {
		t.Errorf("the column is counted %v times, want once", n)
	}
	if got := s.ask(t, "/rt/ps_contacts/update?id="+contactID, "another_flag=1&some_future_flag=yes"); got != "1" {
		t.Fatalf("update answers %q", got)
	}
	if n := s.metric(t, `asterism_unknown_columns_total{family="ps_contacts"}`); n != 2 {
		t.Errorf("two columns are counted as %v", n)
	}
	if got := s.ask(t, "/rt/ps_contacts/update?id="+contactID, "another_flag="); got != "1" {
		t.Fatalf("update answers %q", got)
	}
	soon(t, "the cleared value is gone from SQL", func() bool { return kept() == extra })
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	s = start(t, cfg)
	f("after a restart")
	// An unknown column is a column for questions too, and goes with its row.
	if got := s.ask(t, "/rt/ps_contacts/multi", "some_future_flag=yes"); got != row+"\n" {
		t.Errorf("a question about the column answers %q", got)
	}
	if got := s.ask(t, "/rt/ps_contacts/destroy", "id="+contactID+"&"); got != "1" {
		t.Errorf("destroy answers %q", got)
	}
	soon(t, "the value went with its row", func() bool { return kept() == "" })
}

func TestUnknownColumnsOfConfigurationAreKeptToo(t *testing.T) {
	t.Parallel()
	s, o := seeded(t)
	f := func(target, body, want string) {
		t.Helper()
		if got := s.ask(t, target, body); got != want {
			t.Errorf("%s %s answers %q, want %q", target, body, got, want)
		}
	}
	f("/rt/ps_endpoints/store", "id=6001&new_option=a%3Bb&new_option=c", "1")
	f("/rt/ps_endpoints/single", "id=6001", "id=6001&new_option=a%3Bb&new_option=c")
	f("/rt/ps_endpoints/update?id=6001", "new_option=d", "1")
	f("/rt/ps_endpoints/single", "new_option=d", "id=6001&new_option=d")
	f("/rt/ps_endpoints/update?new_option=d", "context=in", "1")
	f("/rt/ps_endpoints/single", "id=6001", "id=6001&context=in&new_option=d")
	f("/rt/ps_endpoints/update?id=6001", "id=6002", "1")
	f("/rt/ps_endpoints/single", "id=6002", "id=6002&context=in&new_option=d")
	f("/rt/ps_endpoints/destroy", "id=6002&", "1")
	if got := o.text("SELECT count(*) FROM asterism_extra"); got != "0" {
		t.Errorf("%s values stay behind without a row", got)
	}
	// An odd name is a name, not SQL.
	odd := "x%22%3B%20DROP%20TABLE%20ps_aors%3B--"
	f("/rt/ps_endpoints/store", "id=6003&"+odd+"=1", "1")
	f("/rt/ps_endpoints/single", "id=6003", "id=6003&"+odd+"=1")
}

func TestMoreFieldsThanAnyTableHas(t *testing.T) {
	t.Parallel()
	s, o := seeded(t)
	var body strings.Builder
	body.WriteString("id=6001")
	for i := range 600 {
		fmt.Fprintf(&body, "&f%d=1", i)
	}
	got := s.raw(t, asAsterisk("/rt/ps_aors/store", body.String()))
	if got.status != 400 || got.body != "-1" {
		t.Errorf("600 fields answer %d %q, want 400 -1", got.status, got.body)
	}
	if got := s.raw(t, asAsterisk("/rt/ps_aors/single", body.String())); got.status != 400 || got.body != "" {
		t.Errorf("600 conditions answer %d %q, want 400 and nothing", got.status, got.body)
	}
	if got := o.text("SELECT count(*) FROM ps_aors"); got != "0" {
		t.Errorf("%s rows were stored", got)
	}
}
