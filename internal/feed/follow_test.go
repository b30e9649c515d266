package feed

import (
	"context"
	"errors"
	"testing"
	"time"

	"asterism/internal/store"
)

const somePhones = `INSERT INTO sippeers (name, secret, disallow, allow) VALUES ('100', 's^3Bx', 'all', 'ulaw;alaw'), ('101', '', NULL, NULL);
INSERT INTO ps_aors (id, max_contacts, qualify_timeout) VALUES ('a', 1, 3.0), ('b', NULL, 0.5);
INSERT INTO ps_endpoint_id_ips (id, match) VALUES ('trunk', '192.0.2.1;192.0.2.2');
INSERT INTO voicemail (context, mailbox, password, fullname) VALUES ('default', '1', '1', 'Ann'), ('default', '1', '2', 'Bob'), ('default', '1', '1', 'Ann');
INSERT INTO extensions (context, exten, priority, app, appdata) VALUES ('in', '_X.', 1, 'Dial', 'x'), ('in', '_X.', 2, 'Hangup', '');
INSERT INTO queue_members (queue_name, interface, penalty) VALUES ('support', 'PJSIP/1', 0), ('support', 'PJSIP/2', 1);
INSERT INTO queue_rules (rule_name, time, min_penalty, max_penalty) VALUES ('r', '30', '0', '5'), ('r', '60', '0', '9');
INSERT INTO meetme (confno, starttime) VALUES ('600', '2026-01-01 10:00:00');
INSERT INTO numbers (number, codecs) VALUES ('1', 'ulaw');
INSERT INTO queue_log (event) VALUES ('CONNECT');
INSERT INTO asterism_extra VALUES ('ps_aors', '["a"]', 'novel', 'x;y'), ('ps_aors', '["b"]', 'other', '1'), ('sippeers', '["100"]', 'regserver2', 'z')`

func TestLoadShowsWhatSQLHolds(t *testing.T) {
	r := follow(t, somePhones)
	r.equal(t)
	r.expect(t, "ps_aors", "id=a&max_contacts=1&qualify_timeout=3.0&novel=x&novel=y", "id=b&qualify_timeout=0.5&other=1")
	r.expect(t, "ps_endpoint_id_ips", "id=trunk&match=192.0.2.1&match=192.0.2.2")
	r.expect(t, "queue_log")
	if got := r.directory.View().Table([]byte("voicemail")).Count(); got != 3 {
		t.Errorf("%d boxes: rows that are alike must stay apart", got)
	}
}

// statements are what other programs do to a store, each alone.
var statements = []string{
	`INSERT INTO ps_aors (id) VALUES ('c'), ('d'), ('e')`,
	`UPDATE ps_aors SET max_contacts = 5`,
	`UPDATE ps_aors SET id = 'z' WHERE id = 'a'`,
	`UPDATE ps_aors SET id = CASE id WHEN 'b' THEN 'b2' ELSE id || '1' END`,
	`DELETE FROM ps_aors WHERE id = 'c1'`,
	`INSERT INTO ps_aors (id, max_contacts) VALUES ('d1', 9) ON CONFLICT (id) DO UPDATE SET max_contacts = excluded.max_contacts`,
	`REPLACE INTO ps_aors (id, contact) VALUES ('d1', 'sip:x^3By')`,
	`UPDATE voicemail SET password = '9' WHERE fullname = 'Bob'`,
	`UPDATE voicemail SET mailbox = '2' WHERE uniqueid = 1`,
	`DELETE FROM voicemail WHERE fullname = 'Ann' AND mailbox = '1'`,
	`UPDATE extensions SET priority = priority + 10`,
	`UPDATE extensions SET context = '', exten = '"\ü' || char(10)`,
	`DELETE FROM extensions`,
	`INSERT INTO queue_rules (rule_name, time, min_penalty, max_penalty) VALUES ('r', '30', '0', '5'), ('s', '1', '', '')`,
	`DELETE FROM queue_rules WHERE time = '60'`,
	`UPDATE sippeers SET allow = 'g722', ipaddr = '192.0.2.1', port = 5060`,
	`UPDATE sippeers SET name = '200' WHERE name = '100'`,
	`INSERT INTO asterism_extra VALUES ('sippeers', '["101"]', 'novel', '1')`,
	`UPDATE asterism_extra SET value = '2' WHERE col = 'novel'`,
	`DELETE FROM asterism_extra`,
	`UPDATE numbers SET tenant = 'acme'`,
	`INSERT INTO queue_log (event) VALUES ('AGENTCALLED')`,
	`INSERT INTO ps_contacts (id, expiration_time) VALUES ('6001^3B@x', 1), ('6002^3B@x', 4102444800)`,
	`DELETE FROM ps_contacts`,
	`UPDATE queue_members SET interface = interface || 'x', uniqueid = uniqueid + 100`,
	`DELETE FROM sippeers; INSERT INTO sippeers (name) VALUES ('100')`,
}

func TestEveryChangeOfOtherProgramsIsFollowed(t *testing.T) {
	r := follow(t, somePhones)
	r.run(t)
	for _, statement := range statements {
		before := r.directory.View().Revision()
		r.exec(t, statement)
		r.wait(t)
		if differing := r.differing(t); len(differing) > 0 {
			t.Errorf("after %s memory differs: %q", statement, differing)
		}
		if r.directory.View().Revision() == before && statement != `INSERT INTO queue_log (event) VALUES ('AGENTCALLED')` {
			t.Errorf("%s is not seen", statement)
		}
	}
	state := r.feed.State()
	if !state.Up || state.Mended != 0 || state.Lag > patience {
		t.Errorf("state %+v", state)
	}
}

func TestAChangeThatIsRolledBackIsNeverSeen(t *testing.T) {
	r := follow(t, somePhones)
	r.run(t)
	before := r.directory.View()
	tx, err := r.outside.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := tx.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	r.exec(t, "INSERT INTO queues (name) VALUES ('after')")
	r.wait(t)
	r.equal(t)
	if got := r.directory.View().Revision(); got != before.Revision()+1 {
		t.Errorf("%d publications, want one", got-before.Revision())
	}
}

func TestATableWithoutKeyIsOneBucket(t *testing.T) {
	r := unloaded(t, store.Options{Extra: []string{"speeddial"}}, "CREATE TABLE speeddial (owner TEXT, number TEXT)", "INSERT INTO speeddial VALUES ('a', '1'), ('a', '1')")
	r.load(t)
	r.equal(t)
	for _, statement := range []string{
		"INSERT INTO speeddial VALUES ('b', '2')", "UPDATE speeddial SET number = '3' WHERE owner = 'a'",
		"DELETE FROM speeddial WHERE rowid = 1", "DELETE FROM speeddial",
	} {
		r.exec(t, statement)
		r.catchUp(t)
		r.equal(t)
	}
}

func TestEntriesOfUnknownFamiliesAreHarmless(t *testing.T) {
	r := follow(t, somePhones)
	r.exec(t, `INSERT INTO asterism_changes (family, row_key, at) VALUES ('nosuch', '["a"]', 0), ('ps_aors', 'no list', 0), ('ps_aors', '["a","b"]', 0), ('queue_log', '["1"]', 0)`,
		"UPDATE ps_aors SET max_contacts = 7")
	r.catchUp(t)
	r.equal(t)
	if r.feed.State().Applied == 0 {
		t.Error("nothing is applied")
	}
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	r := follow(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := r.feed.Wait(ctx, r.feed.State().Applied+1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if err := r.feed.Wait(ctx, r.feed.State().Applied); err != nil {
		t.Errorf("what is applied already: %v", err)
	}
}
