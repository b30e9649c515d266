package server

import "testing"

func TestOperatorsInNames(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t,
		`INSERT INTO ps_contacts (id, expiration_time) VALUES ('a', 999999999), ('b', 1760000000), ('c', 1760000001), ('d', NULL)`,
		`INSERT INTO ps_endpoints (id, mailboxes) VALUES ('e', '6001@default'), ('f', ''), ('g', NULL)`,
		`INSERT INTO ps_aors (id, contact) VALUES ('6001', NULL), ('trunk', 'sip:192.0.2.1')`,
		`INSERT INTO musiconhold_entry (name, position, entry) VALUES ('hold-support', 10, 'j'), ('hold-support', 2, 'c'), ('hold-support', 0, 'a'), ('other', 1, 'x')`,
		`INSERT INTO queue_members (queue_name, interface) VALUES ('support', 'PJSIP/9'), ('sales', 'PJSIP/9'), ('support', 'PJSIP/10'), ('support', 'PJSIP/2'), ('sales', 'PJSIP/1')`)
	f := func(family, conditions, column, want string) {
		t.Helper()
		if got := idsOf(s.ask(t, "/rt/"+family+"/multi", conditions), column); got != want {
			t.Errorf("%s of %s with %s: %q, want %q", column, family, conditions, got, want)
		}
	}
	f("ps_contacts", "expiration_time%20%3C%3D=1760000000", "id", "a b")
	f("ps_endpoints", "mailboxes%20!%3D=", "id", "e")
	f("ps_aors", "contact%20!%3D=", "id", "trunk")
	f("musiconhold_entry", "position%20%3E%3D=0&name=hold-support", "position", "0 2 10")
	f("queue_members", "interface%20LIKE=%25&queue_name=support", "interface", "PJSIP%2F10 PJSIP%2F2 PJSIP%2F9")
	f("queue_members", "interface%20LIKE=%25&queue_name%20LIKE=%25", "queue_name", "sales support support sales support")
	for _, family := range []string{"ps_contacts", "ps_endpoints", "ps_aors", "musiconhold_entry", "queue_members"} {
		if n := s.metric(t, `asterism_scans_total{family="`+family+`"}`); n != 0 {
			t.Errorf("%s was scanned %v times: what Asterisk asks every day must use an index", family, n)
		}
	}
	// Every other operator, in any case, with or without its blank.
	f("musiconhold_entry", "position%20%3E=2", "position", "10")
	f("musiconhold_entry", "position%3E=2", "position", "10")
	f("musiconhold_entry", "position%20%3C=2&name=hold-support", "position", "0")
	f("musiconhold_entry", "position%20%3C%3E=2&name=hold-support", "position", "0 10")
	f("musiconhold_entry", "position%20!%3D=2&name=hold-support", "position", "0 10")
	f("musiconhold_entry", "position%20%3D=2", "position", "2")
	f("queue_members", "interface%20like=PJSIP%2F1%25", "interface", "PJSIP%2F1 PJSIP%2F10")
	f("queue_members", "interface%20NOT%20LIKE=PJSIP%2F1%25&queue_name=support", "interface", "PJSIP%2F2 PJSIP%2F9")
	f("queue_members", "interfaceLIKE=PJSIP%2F1%25", "interface", "") // a word needs a blank before it
	// What an index can't serve is counted.
	f("queue_members", "penalty%20!%3D=&queue_name%20LIKE=s%25", "interface", "")
	f("ps_contacts", "via_port=5060", "id", "")
	if n := s.metric(t, `asterism_scans_total{family="ps_contacts"}`); n != 1 {
		t.Errorf("ps_contacts was scanned %v times, want once", n)
	}
}

func TestMeetmesOddSpellings(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO meetme (bookid, confno, starttime, endtime) VALUES
		(1, '800', '2026-03-01 10:00:00', '2026-03-01 11:00:00'), (2, '800', '2026-03-01 12:00:00', '2026-03-01 13:00:00')`)
	f := func(conditions, want string) {
		t.Helper()
		if got := idsOf(s.ask(t, "/rt/meetme/single", conditions), "bookid"); got != want {
			t.Errorf("%s finds %q, want %q", conditions, got, want)
		}
	}
	f("confno=800&endtime%20%3E%3D%20=2026-03-01%2010%3A30%3A00&starttime%20%3C%3D%20=2026-03-01%2010%3A30%3A00", "1")
	f("confno=800&endtime%3E%3D%20=2026-03-01%2012%3A30%3A00&startTime%3C%3D%20=2026-03-01%2012%3A30%3A00", "2")
	f("confno=800&endTime%3E%3D=2026-03-01%2011%3A30%3A00&STARTTIME%3C%3D=2026-03-01%2011%3A30%3A00", "")
	f("confno=801&endtime%3E%3D%20=2026-03-01%2012%3A30%3A00&startTime%3C%3D%20=2026-03-01%2012%3A30%3A00", "")
}

func TestAnUnknownOperatorFindsNothingAndIsNoted(t *testing.T) {
	t.Parallel()
	s, o, log := seededLogging(t, `INSERT INTO ps_endpoints (id) VALUES ('x')`)
	f := func(verb, body, want string) {
		t.Helper()
		if got := s.ask(t, "/rt/ps_endpoints/"+verb, body); got != want {
			t.Errorf("%s %s answers %q, want %q", verb, body, got, want)
		}
	}
	f("multi", "id%20RLIKE=x", "")
	f("single", "id%20RLIKE=x", "")
	f("single", "id%20%3D%3D=x", "")
	f("destroy", "id%20RLIKE=x&", "-1")
	f("update?id%20RLIKE=x", "context=in", "-1")
	if n := s.metric(t, `asterism_rejected_total{reason="unknown operator"}`); n != 5 {
		t.Errorf("%v requests with an unknown operator are counted, want 5", n)
	}
	if lines := log.lines("level=WARN", "operator", "RLIKE", "ps_endpoints", "client=127.0.0.1:"); len(lines) != 4 {
		t.Errorf("the log has %d lines about the operator, want 4: %q", len(lines), lines)
	}
	if got := o.text("SELECT id || coalesce(context, '') FROM ps_endpoints"); got != "x" {
		t.Errorf("a refused write changed SQL to %q", got)
	}
}

func TestAConditionOnAnUnknownColumnIsNeverIgnored(t *testing.T) {
	t.Parallel()
	s, o, log := seededLogging(t, `INSERT INTO ps_aors (id, max_contacts) VALUES ('x', 1)`)
	f := func(target, body, want string) {
		t.Helper()
		if got := s.ask(t, "/rt/ps_aors/"+target, body); got != want {
			t.Errorf("%s %s answers %q, want %q", target, body, got, want)
		}
	}
	f("single", "id=x&nosuch=1", "")
	f("multi", "id=x&nosuch=1", "")
	f("multi", "id=x&nosuch%20!%3D=1", "")
	f("update?nosuch=1", "max_contacts=2", "-1")
	f("destroy", "id=x&nosuch=1", "-1")
	if got := o.text("SELECT id || max_contacts FROM ps_aors"); got != "x1" {
		t.Errorf("a refused write changed SQL to %q", got)
	}
	if n := s.metric(t, `asterism_rejected_total{reason="unknown column"}`); n != 3 {
		t.Errorf("%v questions about an unknown column are counted, want 3", n)
	}
	if lines := log.lines("level=WARN", "column=nosuch", "ps_aors", "answered with nothing"); len(lines) != 1 {
		t.Errorf("the log has %d lines about the column, want 1", len(lines))
	}
}
