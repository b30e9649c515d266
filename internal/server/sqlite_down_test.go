package server

import (
	"sync"
	"testing"
	"time"
)

// TestWritesWhileSQLCanNotBeWritten: what Asterisk itself writes is taken, all
// else is refused with a number, and a refused write stays refused.
func TestWritesWhileSQLCanNotBeWritten(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, mailboxes,
		`INSERT INTO ps_aors (id, max_contacts) VALUES ('6001', 1), ('6002', 1)`,
		`INSERT INTO ps_contacts (id, uri, expiration_time) VALUES ('6001^3B@a', 'sip:a', 4102444800), ('6001^3B@b', 'sip:b', 4102444800)`,
		`INSERT INTO queue_members (queue_name, interface, paused, membername) VALUES ('support', 'PJSIP/1', 0, 'Ann')`,
		`INSERT INTO sippeers (name, secret) VALUES ('6001', 's')`)
	release := o.lock()
	var asking sync.WaitGroup
	f := func(target, body, want string) {
		t.Helper()
		asking.Go(func() {
			if got := s.raw(t, asAsterisk(target, body)); got.body != want {
				t.Errorf("%s %s answers %d %q, want %q", target, body, got.status, got.body, want)
			}
		})
	}
	began := time.Now()
	f("/rt/ps_aors/update?id=6001", "max_contacts=2", "-1")
	f("/rt/ps_aors/store", "id=6003", "-1")
	f("/rt/ps_aors/destroy", "id=6002&", "-1")
	f("/rt/queue_members/update?interface=PJSIP%2F1", "membername=Bob", "-1")
	f("/rt/queue_members/update?interface=PJSIP%2F1", "paused=1&membername=Bob", "-1")
	f("/rt/voicemail/update?&context=defaultmailbox=1001", "&email=a%40example.com", "-1")
	volatile := func(target, body, want string) {
		t.Helper()
		if got := s.raw(t, asAsterisk(target, body)); got.status != 200 || got.body != want {
			t.Errorf("%s %s answers %d %q, want 200 %q", target, body, got.status, got.body, want)
		}
	}
	volatile("/rt/ps_contacts/store", "id=6002%3B%40c&uri=sip%3Ac&expiration_time=4102444800", "1")
	volatile("/rt/ps_contacts/update?id=6001%3B%40a", "uri=sip%3Aaa", "1")
	volatile("/rt/ps_contacts/destroy", "id=6001%3B%40b&", "1")
	volatile("/rt/ps_contacts/destroy", "id=6001%3B%40b&", "0")
	volatile("/rt/ps_contacts/update?id=6009%3B%40z", "uri=sip%3Az", "0")
	volatile("/rt/queue_members/update?uniqueid=1", "paused=1&reason_paused=lunch", "1")
	volatile("/rt/voicemail/update?&context=defaultmailbox=1001", "&password=4321", "1")
	volatile("/rt/sippeers/update?name=6001", "ipaddr=192.0.2.5&port=5060&regseconds=4102444800&regserver=a", "1")
	volatile("/rt/queue_log/store", "time=2026-01-01%2000%3A00%3A00.000001&event=PAUSE", "1")
	if took := time.Since(began); took > time.Second {
		t.Errorf("what Asterisk itself writes took %v", took)
	}
	read := func(target, body, want string) {
		t.Helper()
		if got := s.ask(t, target, body); got != want {
			t.Errorf("%s %s answers %q, want %q", target, body, got, want)
		}
	}
	reads := func() {
		t.Helper()
		read("/rt/ps_contacts/multi", "id%20LIKE=6001%3B%40%25", "id=6001%3B%40a&uri=sip%3Aaa&expiration_time=4102444800\n")
		read("/rt/ps_contacts/single", "id=6002%3B%40c", "id=6002%3B%40c&uri=sip%3Ac&expiration_time=4102444800")
		read("/rt/queue_members/multi", "interface%20LIKE=%25&queue_name=support",
			"queue_name=support&interface=PJSIP%2F1&membername=Ann&paused=1&uniqueid=1&reason_paused=lunch\n")
		read("/rt/voicemail/single", "mailbox=1001&context=default", "uniqueid=7&context=default&mailbox=1001&password=4321")
		read("/rt/sippeers/single", "name=6001", "id=1&name=6001&ipaddr=192.0.2.5&port=5060&regseconds=4102444800&regserver=a&secret=s")
		read("/rt/ps_aors/single", "id=6001", "id=6001&max_contacts=1")
		read("/rt/ps_aors/multi", "id%20LIKE=%25", "id=6002&max_contacts=1\nid=6001&max_contacts=1\n")
	}
	reads()
	asking.Wait()
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("writes that wait for SQL were refused after %v; a phone call waits so long", took)
	}
	release()
	soon(t, "all that was acknowledged is in SQL", func() bool {
		return o.text("SELECT group_concat(id || ' ' || uri) FROM (SELECT * FROM ps_contacts ORDER BY id)") == "6001^3B@a sip:aa,6002^3B@c sip:c" &&
			o.text("SELECT paused || reason_paused || membername FROM queue_members") == "1lunchAnn" &&
			o.text("SELECT password || coalesce(email, '') FROM voicemail WHERE uniqueid = 7") == "4321" &&
			o.text("SELECT ipaddr || port || regserver FROM sippeers") == "192.0.2.55060a" &&
			o.text("SELECT group_concat(event) FROM queue_log") == "PAUSE"
	})
	soon(t, "the spool is empty", func() bool { return s.metric(t, "asterism_spool_entries") == 0 })
	reads()
	if got := o.text("SELECT group_concat(id || max_contacts) FROM ps_aors"); got != "60011,60021" {
		t.Errorf("a write that was answered -1 is in SQL: %s", got)
	}
}

// TestReadsGoOnWhileSQLIsLocked: a queue keeps its members, whatever SQL does.
func TestReadsGoOnWhileSQLIsLocked(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	o := outside(t, cfg)
	o.exec(`INSERT INTO queue_members (queue_name, interface) VALUES ('support', 'PJSIP/9'), ('support', 'PJSIP/10'), ('support', 'PJSIP/2')`)
	o.exec(`INSERT INTO ps_endpoints (id, context) VALUES ('6001', 'in')`)
	s := start(t, cfg)
	all := func(when string) {
		t.Helper()
		for range 20 {
			if got := idsOf(s.ask(t, "/rt/queue_members/multi", "interface%20LIKE=%25&queue_name=support"), "interface"); got != "PJSIP%2F10 PJSIP%2F2 PJSIP%2F9" {
				t.Fatalf("%s the queue has %q", when, got)
			}
			if got := s.ask(t, "/rt/ps_endpoints/single", "id=6001"); got != "id=6001&context=in" {
				t.Fatalf("%s the endpoint is %q", when, got)
			}
		}
	}
	all("before")
	release := o.lock()
	all("under a lock")
	if got := s.ask(t, "/rt/ps_contacts/store", "id=6001%3B%40a&expiration_time=4102444800"); got != "1" {
		t.Errorf("store answers %q", got)
	}
	soon(t, "the node knows that SQL can't be written", func() bool { return s.metric(t, "asterism_db_up") == 0 })
	all("with SQL known to be down")
	if got := s.people(t, "/readyz"); len(got) < 10 || got[:9] != "degraded:" {
		t.Errorf("readyz says %q, want what is degraded", got)
	}
	if n := s.metric(t, "asterism_spool_entries"); n != 1 {
		t.Errorf("%v writes wait in the spool, want 1", n)
	}
	release()
	soon(t, "the node knows that SQL can be written", func() bool { return s.metric(t, "asterism_db_up") == 1 })
	all("after")
}

// TestAStartUnderALockServesWhatSQLSays: another program's write lock stops no
// start, since the node only reads until then.
func TestAStartUnderALockServesWhatSQLSays(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	o := outside(t, cfg)
	o.exec(`INSERT INTO ps_endpoints (id, context) VALUES ('6001', 'in')`)
	first := start(t, cfg) // writes the triggers
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	o.lock()
	began := time.Now()
	s := start(t, cfg)
	if got := s.ask(t, "/rt/ps_endpoints/single", "id=6001"); got != "id=6001&context=in" {
		t.Errorf("the endpoint is %q", got)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the start took %v", took)
	}
}
