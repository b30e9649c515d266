package server

import "testing"

// TestAnUpdateThatCameAsGet: an unbalanced "(" in the lookup value hides the
// comma between URL and data from Asterisk's own argument parser.
func TestAnUpdateThatCameAsGet(t *testing.T) {
	t.Parallel()
	s, o := seeded(t,
		`INSERT INTO ps_aors (id, max_contacts) VALUES ('a(b', 1), ('a', 1), ('a(b)', 1)`,
		`INSERT INTO voicemail (context, mailbox, password) VALUES ('de(fault', '1001', '1111'), ('default', '1001', '2222')`)
	f := func(request, want, query, sql string) {
		t.Helper()
		if got := s.raw(t, request); got.status != 200 || got.body != want {
			t.Errorf("%.60q answers %d %q, want 200 %q", request, got.status, got.body, want)
		}
		soon(t, query+" = "+sql, func() bool { return o.text(query) == sql })
	}
	const aors = "SELECT group_concat(id || max_contacts, ' ') FROM (SELECT * FROM ps_aors ORDER BY id)"
	f(asked("/rt/ps_aors/update?id=a(b,max_contacts=2&support_path=yes"), "1", aors, "a1 a(b2 a(b)1")
	f(asAsterisk("/rt/ps_aors/update?id=a(b,max_contacts=3&support_path=yes", ""), "1", aors, "a1 a(b3 a(b)1")
	f(asAsterisk("/rt/ps_aors/update?id=a(b)", "max_contacts=4"), "1", aors, "a1 a(b3 a(b)4")
	f(asked("/rt/ps_aors/update?id=nosuch(,max_contacts=5"), "0", aors, "a1 a(b3 a(b)4")
	// A comma that belongs to the value is escaped.
	f(asked("/rt/ps_aors/update?id=a(b,contact=sip%3A1%2Csip%3A2"), "1", "SELECT contact FROM ps_aors WHERE id = 'a(b'", "sip:1,sip:2")
	const pins = "SELECT group_concat(password, ' ') FROM voicemail"
	f(asked("/rt/voicemail/update?&context=de(faultmailbox=1001,&password=4321"), "1", pins, "4321 2222")
}

func TestAnUpdateAsGetThatNamesNothingToChange(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO ps_aors (id, max_contacts) VALUES ('a(b', 1)`)
	f := func(target string) {
		t.Helper()
		if got := s.raw(t, asked(target)); got.body != "-1" {
			t.Errorf("%s answers %d %q, want -1", target, got.status, got.body)
		}
	}
	f("/rt/ps_aors/update?id=a(b")
	f("/rt/ps_aors/update?id=a(b,")
	f("/rt/ps_aors/update?,max_contacts=2")
	f("/rt/ps_aors/update")
	if got := o.text("SELECT id || max_contacts FROM ps_aors"); got != "a(b1" {
		t.Errorf("SQL holds %s", got)
	}
}
