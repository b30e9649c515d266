package server

import "testing"

func TestLookupForTheDialplan(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO numbers (tenant, number, codecs, destination, enabled, note) VALUES
		('', '+14155550123', 'g722,ulaw', 'endpoint:6001', NULL, 'front desk'),
		('acme', '14155550123', 'opus,alaw', NULL, 'yes', NULL),
		('', '14155550123', 'ulaw', NULL, 'yes', NULL),
		('', '14155550124', 'ulaw', 'endpoint:6002', 'no', NULL),
		('acme', '14155550125', 'ulaw', NULL, 'no', NULL),
		('', '14155550125', 'alaw', NULL, NULL, NULL),
		('', '(415)', 'gsm', NULL, NULL, NULL)`)
	f := func(query string, status int, want string) {
		t.Helper()
		got := s.raw(t, asked("/lookup"+query))
		if got.status != status || got.body != want || got.length != int64(len(want)) {
			t.Errorf("/lookup%s answers %d %q, want %d %q", query, got.status, got.body, status, want)
		}
		if kind := got.header.Get("Content-Type"); kind != "text/plain" {
			t.Errorf("/lookup%s answers as %q", query, kind)
		}
	}
	f("?number=+14155550123", 200, "g722,ulaw") // a plus typed into a dialplan is a plus
	f("?number=%2B14155550123", 200, "g722,ulaw")
	f("?number=%2B14155550123&field=codecs", 200, "g722,ulaw")
	f("?number=%2B14155550123&field=destination", 200, "endpoint:6001")
	f("?number=%2B14155550123&field=note", 200, "front desk")
	f("?number=14155550123", 200, "ulaw")
	f("?number=14155550123&tenant=acme", 200, "opus,alaw")
	f("?tenant=acme&number=14155550123", 200, "opus,alaw")
	f("?number=14155550123&tenant=nosuch", 200, "ulaw")
	f("?number=14155550123&field=note", 200, "")
	f("?number=(415)", 200, "gsm")
	// A disabled number is unknown; the shared one doesn't stand in for it.
	f("?number=14155550124", 200, "")
	f("?number=14155550124&field=destination", 200, "")
	f("?number=14155550125&tenant=acme", 200, "")
	f("?number=14155550125", 200, "alaw")
	f("?number=19995550000", 200, "")
	// What can't be meant.
	f("?number=14155550123;tenant=acme", 400, "")
	f("?number=14155550123&field=enabled", 400, "")
	f("?number=14155550123&nosuch=1", 400, "")
	f("?number=", 400, "")
	f("?tenant=acme", 400, "")
	f("", 400, "")
	if n := s.metric(t, `asterism_lookups_total{door="curl",family="numbers",outcome="hit"}`); n != 12 {
		t.Errorf("%v hits are counted, want 12", n)
	}
	o.exec("UPDATE numbers SET codecs = 'ulaw' WHERE number = '+14155550123'")
	soon(t, "the changed number is answered", func() bool {
		_, got := s.get(t, "/lookup?number=+14155550123")
		return got == "ulaw"
	})
}
