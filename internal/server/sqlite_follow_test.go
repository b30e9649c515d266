package server

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestARowChangedWithTheSqlite3Program: whoever changes SQL, by whatever program.
func TestARowChangedWithTheSqlite3Program(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("the program sqlite3 must be installed where CI=true")
		}
		t.Skip("missing program sqlite3")
	}
	cfg := testConfig(t)
	s := start(t, cfg)
	f := func(statement, family, conditions, want string) {
		t.Helper()
		command := exec.Command(program, strings.TrimPrefix(cfg.Store.URL, "sqlite:"), "PRAGMA busy_timeout=10000; "+statement)
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s", statement, err, output)
		}
		soon(t, statement+" is answered", func() bool {
			lines := strings.SplitAfter(s.ask(t, "/rt/"+family+"/multi", conditions), "\n")
			slices.Sort(lines) // rows that share a key have no order
			return strings.Join(lines, "") == want
		})
	}
	f("INSERT INTO ps_endpoints (id, context) VALUES ('6001', 'in')", "ps_endpoints", "id=6001", "id=6001&context=in\n")
	f("UPDATE ps_endpoints SET context = 'out', allow = 'ulaw;alaw'", "ps_endpoints", "id=6001", "id=6001&context=out&allow=ulaw&allow=alaw\n")
	f("UPDATE ps_endpoints SET id = '6002'", "ps_endpoints", "id=6002", "id=6002&context=out&allow=ulaw&allow=alaw\n")
	f("SELECT 1", "ps_endpoints", "id=6001", "")
	f("REPLACE INTO ps_endpoints (id, context) VALUES ('6002', 'in')", "ps_endpoints", "id=6002", "id=6002&context=in\n")
	f("DELETE FROM ps_endpoints", "ps_endpoints", "id=6002", "")
	f("BEGIN; INSERT INTO ps_endpoints (id) VALUES ('a'); INSERT INTO ps_endpoints (id) VALUES ('b'); DELETE FROM ps_endpoints WHERE id = 'a'; COMMIT", "ps_endpoints", "id%20LIKE=%25", "id=b\n")
	f("BEGIN; DELETE FROM ps_endpoints; ROLLBACK", "ps_endpoints", "id%20LIKE=%25", "id=b\n")
	f("INSERT INTO queue_members (queue_name, interface) VALUES ('q', 'PJSIP/1'); UPDATE queue_members SET interface = 'PJSIP/2'", "queue_members", "queue_name=q", "queue_name=q&interface=PJSIP%2F2&uniqueid=1\n")
	// A family whose key is not unique, and one that SQL changes by the thousand.
	f("INSERT INTO queue_rules (rule_name, time, min_penalty, max_penalty) VALUES ('r', '1', '0', '5'), ('r', '1', '0', '5'), ('r', '2', '0', '5')", "queue_rules", "rule_name=r",
		"rule_name=r&time=1&min_penalty=0&max_penalty=5\nrule_name=r&time=1&min_penalty=0&max_penalty=5\nrule_name=r&time=2&min_penalty=0&max_penalty=5\n")
	f("DELETE FROM queue_rules WHERE rowid = 1", "queue_rules", "rule_name=r", "rule_name=r&time=1&min_penalty=0&max_penalty=5\nrule_name=r&time=2&min_penalty=0&max_penalty=5\n")
	f("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 30000) INSERT INTO numbers (number, codecs) SELECT i, 'ulaw' FROM n", "numbers", "number=30000", "number=30000&codecs=ulaw\n")
	f("UPDATE numbers SET codecs = 'alaw' WHERE number IN ('1', '30000')", "numbers", "number=1", "number=1&codecs=alaw\n")
}

// TestTheNextWriteAfterATroubledOne: a lock that goes away in time delays a write
// and doubles nothing; reads don't wait for it.
func TestTheNextWriteAfterATroubledOne(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO queues (name) VALUES ('q')`)
	for round := range 3 {
		release := o.lock()
		connection := s.connect(t)
		send(t, connection, asAsterisk("/rt/queue_members/store", "queue_name=q&interface=PJSIP%2F"+string(rune('1'+round))))
		soon(t, "the write is under way", func() bool { return s.metric(t, "asterism_requests_in_flight") == 1 })
		began := time.Now()
		for range 100 {
			if got := s.ask(t, "/rt/queues/single", "name=q"); got != "name=q" {
				t.Fatalf("the queue is %q", got)
			}
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("100 reads beside a write that waits took %v", took)
		}
		release()
		if got := receiveAnswer(t, connection); got.body != "1" {
			t.Errorf("the write that waited answers %q, want 1", got.body)
		}
	}
	if got := o.text("SELECT count(*) || ' ' || count(DISTINCT interface) FROM queue_members"); got != "3 3" {
		t.Errorf("three stores made %s rows", got)
	}
}

// TestAClientThatGoesAwayWhileItsWriteWaits: it happens once or not at all, and
// the next write is not disturbed.
func TestAClientThatGoesAwayWhileItsWriteWaits(t *testing.T) {
	t.Parallel()
	s, o := seeded(t)
	release := o.lock()
	connection := s.connect(t)
	send(t, connection, asAsterisk("/rt/queue_members/store", "queue_name=q&interface=PJSIP%2F1"))
	soon(t, "the write is under way", func() bool { return s.metric(t, "asterism_requests_in_flight") == 1 })
	if err := connection.Close(); err != nil {
		t.Fatal(err)
	}
	release()
	if got := s.ask(t, "/rt/queue_members/store", "queue_name=q&interface=PJSIP%2F1&membername=Ann"); got != "1" {
		t.Errorf("the next write answers %q, want 1", got)
	}
	if got := o.text("SELECT group_concat(interface || membername) FROM queue_members"); got != "PJSIP/1Ann" {
		t.Errorf("SQL holds %s", got)
	}
}
