package server

import (
	"testing"

	"asterism/internal/config"
)

// TestMissesAndErrorsNeverLookLikeData: Asterisk ignores the status and parses
// whatever text comes.
func TestMissesAndErrorsNeverLookLikeData(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, mailboxes)
	f := func(target, body string, status int, want string) {
		t.Helper()
		got := s.raw(t, asAsterisk(target, body))
		if got.status != status || got.body != want || got.length != int64(len(want)) {
			t.Errorf("%s %s answers %d %q with Content-Length %d, want %d %q", target, body, got.status, got.body, got.length, status, want)
		}
	}
	f("/rt/voicemail/single", "mailbox=8888", 200, "")
	f("/rt/voicemail/multi", "mailbox=8888", 200, "")
	f("/rt/voicemail/single", "", 200, "")
	f("/rt/voicemail/multi", "", 200, "")
	for verb, want := range map[string]string{"single": "", "multi": "", "static": "", "update?mailbox=1": "-1", "store": "-1", "destroy": "-1", "require": "-1"} {
		f("/rt/nosuch/"+verb, "mailbox=1001", 404, want)
		f("/rt//"+verb, "mailbox=1001", 404, want)
		f("/rt/"+verb, "mailbox=1001", 404, want)
		f("/"+verb, "mailbox=1001", 404, want)
		f("/voicemail/"+verb, "mailbox=1001", 404, want) // a base URL without /rt
	}
	f("/rt/voicemail/nosuch", "mailbox=1001", 404, "")
	f("/rt/voicemail", "mailbox=1001", 404, "")
	f("/", "", 404, "")
	f("/rt/asterism_changes/multi", "seq%20%3E=0", 404, "")
	f("/rt/sqlite_master/multi", "name%20LIKE=%25", 404, "")
	// Names without a value, values without a name, nothing at all.
	f("/rt/voicemail/single", "&&&", 200, "")
	f("/rt/voicemail/single", "=1001", 200, "")
	f("/rt/voicemail/single", "mailbox", 200, "")
	f("/rt/voicemail/store", "", 400, "-1")
	f("/rt/voicemail/destroy", "", 400, "-1")
	f("/rt/voicemail/destroy", "&", 400, "-1")
	f("/rt/voicemail/update", "password=1", 400, "-1")
	f("/rt/voicemail/update?mailbox=1001", "", 400, "-1")
	f("/rt/voicemail/require", "", 400, "-1")
}

func TestABaseURLWithASlashTooMuch(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO ps_aors (id, max_contacts) VALUES ('6001', 1)`)
	f := func(target, body, want string) {
		t.Helper()
		if got := s.ask(t, target, body); got != want {
			t.Errorf("%s %s answers %q, want %q", target, body, got, want)
		}
	}
	// Asterisk puts "/" and the verb behind the base URL, whatever it ends in.
	f("/rt/ps_aors//single", "id=6001", "id=6001&max_contacts=1")
	f("/rt/ps_aors//update?id=6001", "max_contacts=2", "1")
	f("/rt//ps_aors/single", "id=6001", "id=6001&max_contacts=2")
}

func TestAliasesOfFamilies(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO iaxfriends (name, host) VALUES ('6001', 'dynamic')`, `INSERT INTO sippeers (name, host) VALUES ('6002', 'dynamic')`)
	for _, alias := range []string{"iaxfriends", "iaxpeers", "iaxusers"} {
		if got := s.ask(t, "/rt/"+alias+"/single", "name=6001&host=dynamic"); got != "id=1&name=6001&host=dynamic" {
			t.Errorf("%s answers %q", alias, got)
		}
	}
	for _, alias := range []string{"sippeers", "sipusers", "sipfriends"} {
		if got := s.ask(t, "/rt/"+alias+"/single", "name=6002&host=dynamic"); got != "id=1&name=6002&host=dynamic" {
			t.Errorf("%s answers %q", alias, got)
		}
	}
}

func TestRequire(t *testing.T) {
	t.Parallel()
	strictly := testConfig(t)
	strictly.Asterisk.Require = config.RequireStrict
	lenient, strict := start(t, testConfig(t)), start(t, strictly)
	f := func(s *serving, family, columns, want string) {
		t.Helper()
		if got := s.ask(t, "/rt/"+family+"/require", columns); got != want {
			t.Errorf("%s: require %s of %s answers %q, want %q", s.config.Asterisk.Require, columns, family, got, want)
		}
	}
	const known, unknown = "paused=integer1%3A1&reason_paused=char%3A80&uniqueid=uinteger2%3A5", "paused=integer1%3A1&some_future_flag=char%3A1"
	const log = "time=datetime%3A26&data1=char%3A20&data2=char%3A20&data3=char%3A20&data4=char%3A20&data5=char%3A20"
	f(lenient, "queue_members", known, "0")
	f(lenient, "queue_members", unknown, "0")
	f(lenient, "queue_log", log, "0")
	f(lenient, "nosuch", known, "-1")
	f(strict, "queue_members", known, "0")
	f(strict, "queue_members", unknown, "-1")
	f(strict, "queue_log", log, "0")
	f(strict, "queue_log", log+"&data6=char%3A20", "-1")
}
