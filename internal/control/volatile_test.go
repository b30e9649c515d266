package control

import (
	"context"
	"fmt"
	"testing"
)

// way tells how a write went: through the spool or straight to SQL.
func (a *asterisks) way(write func() string) (way, answered string) {
	before := a.spooled.Load()
	answered = write()
	if a.spooled.Load() > before {
		return "spool", answered
	}
	return "straight", answered
}

// newWays gives a node with a row in each family.
func newWays(t *testing.T) *asterisks {
	t.Helper()
	return newAsterisks(t,
		"INSERT INTO ps_contacts (id) VALUES ('1')", "INSERT INTO ps_subscription_persistence (id) VALUES ('1')",
		"INSERT INTO sipregs (name) VALUES ('1')", "INSERT INTO voicemail_data (filename) VALUES ('1')", "INSERT INTO mailboxes (id) VALUES ('1')",
		"INSERT INTO queue_members (queue_name, interface) VALUES ('1', '1')", "INSERT INTO sippeers (name) VALUES ('1')",
		"INSERT INTO iaxfriends (name) VALUES ('1')", "INSERT INTO meetme (confno) VALUES ('1')",
		"INSERT INTO voicemail (context, mailbox, password) VALUES ('1', '1', '1')",
		"INSERT INTO ps_endpoints (id) VALUES ('1')", "INSERT INTO numbers (number) VALUES ('1')", "INSERT INTO queues (name) VALUES ('1')")
}

func TestWhichWritesGoThroughTheSpool(t *testing.T) {
	a := newWays(t)
	f := func(name, words, want string, pairs ...string) {
		t.Helper()
		way, answered := a.way(func() string { return a.update(t, name, words, pairs...) })
		if way != want || answered != "1" {
			t.Errorf("update of %s %q goes %s and answers %s, want %s", name, pairs, way, answered, want)
		}
	}
	for _, name := range []string{"ps_contacts", "ps_subscription_persistence", "mailboxes"} {
		f(name, "id = 1", "spool", "uri=x")
		f(name, "id = 1", "spool", "nosuch=x")
	}
	f("sipregs", "name = 1", "spool", "port=1", "regserver=x")
	f("voicemail_data", "filename = 1", "spool", "duration=1")
	for _, column := range []string{"paused", "reason_paused", "penalty", "ringinuse", "nosuch"} {
		f("queue_members", "queue_name = 1", "spool", column+"=1")
	}
	f("queue_members", "queue_name = 1", "straight", "membername=x")
	f("queue_members", "queue_name = 1", "straight", "paused=1", "membername=x") // mixed
	f("queue_members", "queue_name = 1", "straight", "wrapuptime=1")
	for _, column := range []string{"ipaddr", "port", "regseconds", "lastms", "regserver", "fullcontact", "useragent", "defaultuser", "path", "username"} {
		f("sippeers", "name = 1", "spool", column+"=1")
	}
	f("sippeers", "name = 1", "straight", "secret=x")
	f("sippeers", "name = 1", "straight", "port=1", "secret=x")
	f("sippeers", "name = 1", "straight", "host=x")
	for _, column := range []string{"ipaddr", "port", "regseconds"} {
		f("iaxfriends", "name = 1", "spool", column+"=1")
	}
	f("iaxfriends", "name = 1", "straight", "secret=x")
	f("meetme", "confno = 1", "spool", "members=1", "endtime=2026-01-01 00:00:00")
	f("meetme", "confno = 1", "straight", "pin=1")
	f("voicemail", "mailbox = 1", "spool", "password=1")
	f("voicemail", "mailbox = 1", "straight", "password=1", "email=x")
	f("ps_endpoints", "id = 1", "straight", "context=x")
	f("ps_endpoints", "id = 1", "straight", "nosuch=x")
	f("numbers", "number = 1", "straight", "codecs=ulaw")
	f("queues", "name = 1", "straight", "strategy=linear")
	f("queue_members", "queue_name = 1", "straight", "interface=2") // part of the key
	f("sippeers", "name = 1", "straight", "name=2")
	f("ps_contacts", "id = 1", "straight", "id=2")
}

func TestWhichRowsAreStoredAndDestroyedThroughTheSpool(t *testing.T) {
	a := newWays(t)
	f := func(name, want string, write func() string) {
		t.Helper()
		way, answered := a.way(write)
		if way != want || answered != "1" {
			t.Errorf("a write to %s goes %s and answers %s, want %s", name, way, answered, want)
		}
	}
	store := func(want, name string, pairs ...string) {
		t.Helper()
		f(name, want, func() string { return a.store(t, name, pairs...) })
	}
	store("spool", "ps_contacts", "id=2")
	store("spool", "ps_subscription_persistence", "id=2")
	store("spool", "sipregs", "name=2")
	store("spool", "voicemail_data", "filename=2")
	store("spool", "mailboxes", "id=2")
	store("spool", "queue_log", "event=x")
	store("spool", "cdr", "src=x")
	store("straight", "queue_members", "queue_name=2", "interface=2", "paused=1")
	store("straight", "sippeers", "name=2", "port=1")
	store("straight", "ps_endpoints", "id=2")
	destroy := func(want, name, words string) {
		t.Helper()
		f(name, want, func() string { return a.destroy(t, name, words) })
	}
	destroy("spool", "ps_contacts", "id = 2")
	destroy("spool", "mailboxes", "id = 2")
	destroy("straight", "queue_members", "interface = 2")
	destroy("straight", "sippeers", "name = 2")
}

// TestAPartlyMatchedBucketGoesStraight: an overlay lies over all rows of a key.
func TestAPartlyMatchedBucketGoesStraight(t *testing.T) {
	a := newAsterisks(t, "INSERT INTO voicemail (context, mailbox, password, fullname) VALUES ('default', '1', '1', 'Ann'), ('default', '1', '1', 'Bob')")
	way, answered := a.way(func() string { return a.update(t, "voicemail", "mailbox = 1 AND fullname = Ann", "password=2") })
	if way != "straight" || answered != "1" {
		t.Errorf("it goes %s and answers %s", way, answered)
	}
	a.expect(t, "voicemail", "uniqueid=1&context=default&mailbox=1&password=2&fullname=Ann", "uniqueid=2&context=default&mailbox=1&password=1&fullname=Bob")
	way, answered = a.way(func() string { return a.update(t, "voicemail", "mailbox = 1", "password=3") })
	if way != "spool" || answered != "2" {
		t.Errorf("the whole bucket goes %s and answers %s", way, answered)
	}
	a.expect(t, "voicemail", "uniqueid=1&context=default&mailbox=1&password=3&fullname=Ann", "uniqueid=2&context=default&mailbox=1&password=3&fullname=Bob")
	a.drain(t)
	a.expectSQL(t, "SELECT group_concat(password) FROM voicemail", "3,3")
}

// TestAStraightWriteComesAfterWhatTheSpoolHolds: the older registration must not
// win over it, in memory or in SQL, and its conditions see what was acknowledged.
// Again and again, since the flusher may come in between.
func TestAStraightWriteComesAfterWhatTheSpoolHolds(t *testing.T) {
	a := newAsterisks(t, "INSERT INTO sippeers (name, secret) VALUES ('100', 's')")
	for i := range 10 {
		expectAnswer(t, a.store(t, "queue_members", "queue_name=q", "interface=PJSIP/1"), "1")
		expectAnswer(t, a.update(t, "sippeers", "name = 100", "ipaddr=192.0.2.1", "port=1"), "1")
		expectAnswer(t, a.update(t, "sippeers", "name = 100", "ipaddr=192.0.2.2", fmt.Sprintf("secret=%d", i)), "1")
		want := fmt.Sprintf("id=1&name=100&ipaddr=192.0.2.2&port=1&secret=%d", i)
		a.expect(t, "sippeers", want)
		expectAnswer(t, a.update(t, "queue_members", "queue_name = q", "paused=1"), "1")
		expectAnswer(t, a.update(t, "queue_members", "paused = 1", "membername=Ann"), "1")
		a.expect(t, "queue_members", fmt.Sprintf("queue_name=q&interface=PJSIP%%2F1&membername=Ann&paused=1&uniqueid=%d", i+1))
		expectAnswer(t, a.update(t, "queue_members", "queue_name = q", "paused=0"), "1")
		expectAnswer(t, a.destroy(t, "queue_members", "paused = 0"), "1")
		a.drain(t)
		a.expect(t, "queue_members")
		a.expectSQL(t, "SELECT count(*) FROM queue_members", "0")
		a.expect(t, "sippeers", want)
		a.expectSQL(t, "SELECT ipaddr || port || secret FROM sippeers", fmt.Sprintf("192.0.2.21%d", i))
	}
}

func TestUnknownColumnsAreCountedAndLoggedOnce(t *testing.T) {
	a := newAsterisks(t)
	before := a.logged.lines.Load()
	for range 3 {
		expectAnswer(t, a.store(t, "ps_aors", "id=a", "novel=1", "novel2=2"), "1")
		expectAnswer(t, a.store(t, "ps_contacts", "id=a", "novel=1"), "1")
		expectAnswer(t, a.update(t, "ps_contacts", "id = a", "novel=2"), "1")
		expectAnswer(t, a.store(t, "queue_log", "event=x", "novel=1"), "1")
	}
	for name, want := range map[string]uint64{"ps_aors": 2, "ps_contacts": 1, "queue_log": 1, "sippeers": 0} {
		if got := a.UnknownColumns.With(name).Value(); got != want {
			t.Errorf("%s: %d unknown columns counted, want %d", name, got, want)
		}
	}
	if got := a.logged.lines.Load() - before; got != 4 {
		t.Errorf("%d lines logged, want 4", got)
	}
	a.drain(t)
	a.expect(t, "ps_aors", "id=a&novel=1&novel2=2")
	a.expect(t, "ps_contacts", "id=a&novel=2")
	a.expectSQL(t, "SELECT group_concat(event) FROM queue_log", "x,x,x")
	a.expectSQL(t, "SELECT count(*) FROM asterism_extra WHERE family = 'queue_log'", "0")
}

func TestColumnsAreSpelledAsTheTableDoes(t *testing.T) {
	a := newAsterisks(t, "INSERT INTO meetme (confno, starttime) VALUES ('600', '2026-01-01 00:00:00')", "INSERT INTO sippeers (name) VALUES ('100')")
	way, answered := a.way(func() string {
		return a.update(t, "meetme", "confno = 600 AND startTime <= 2026-06-01 00:00:00", "Members=3")
	})
	if way != "spool" || answered != "1" {
		t.Errorf("it goes %s and answers %s", way, answered)
	}
	expectAnswer(t, a.update(t, "sippeers", "NAME = 100", "Secret=x"), "1")
	a.drain(t)
	a.expectSQL(t, "SELECT members FROM meetme", "3")
	a.expectSQL(t, "SELECT secret FROM sippeers", "x")
	a.expectSQL(t, "SELECT count(*) FROM asterism_extra", "0")
}

func TestDestroyingAnExpiredContactCounts(t *testing.T) {
	a := newAsterisks(t)
	expectAnswer(t, a.store(t, "ps_contacts", "id=a;@x", fmt.Sprintf("expiration_time=%d", a.now.Load()-1)), "1")
	expectAnswer(t, a.store(t, "ps_contacts", "id=b", fmt.Sprintf("expiration_time=%d", a.now.Load()+60)), "1")
	expectAnswer(t, a.destroy(t, "ps_contacts", "id = a;@x"), "1")
	expectAnswer(t, a.destroy(t, "ps_contacts", "id = a;@x"), "1") // another Asterisk expires it too
	expectAnswer(t, a.destroy(t, "ps_contacts", "id = b"), "1")
	expectAnswer(t, a.destroy(t, "ps_contacts", "id = b"), "0") // it had not expired
	expectAnswer(t, a.destroy(t, "ps_contacts", "id = never"), "0")
	expectAnswer(t, a.destroy(t, "ps_contacts", "id LIKE a%"), "0") // names no row
	a.expect(t, "ps_contacts")
}

func (a *asterisks) drain(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waiting)
	defer cancel()
	if err := a.spool.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}
