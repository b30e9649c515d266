package spool

import (
	"context"
	"errors"
	"testing"
	"time"

	"asterism/internal/directory"
)

func TestAnOverlayEndsWithItsFlush(t *testing.T) {
	n := start(t, "INSERT INTO sippeers (name, secret) VALUES ('100', 's')")
	n.write(t, write(directory.Change, "sippeers", "100", "port=1"), contact("a"))
	if got := n.directory.Overlaid(); got != 2 {
		t.Errorf("%d overlays, want 2", got)
	}
	// What comes during the flush stays laid over it.
	n.reader.before = func() error {
		n.reader.before = nil
		n.write(t, write(directory.Change, "sippeers", "100", "port=2"))
		return nil
	}
	if more, err := n.spool.flushOnce(t.Context()); !more || err != nil {
		t.Fatalf("more %v, %v", more, err)
	}
	n.expect(t, "sippeers", "id=1&name=100&port=2&secret=s")
	n.expectSQL(t, "SELECT port FROM sippeers", "1")
	if got := n.directory.Overlaid(); got != 1 {
		t.Errorf("%d overlays, want 1", got)
	}
	n.drain(t)
	if got := n.directory.Overlaid(); got != 0 {
		t.Errorf("%d overlays are left", got)
	}
	n.expectSQL(t, "SELECT port FROM sippeers", "2")
	n.exec(t, "UPDATE sippeers SET port = 3")
	if err := n.feed.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.expect(t, "sippeers", "id=1&name=100&port=3&secret=s") // nothing lies over it any more
}

// TestAnOperatorsEditDuringAnOutageIsNotUndone: only the columns that Asterisk
// wrote are flushed.
func TestAnOperatorsEditDuringAnOutageIsNotUndone(t *testing.T) {
	n := start(t, "INSERT INTO sippeers (name, secret, host) VALUES ('100', 'old', 'dynamic'), ('101', 'old', 'dynamic')",
		"INSERT INTO queue_members (queue_name, interface, membername) VALUES ('support', 'PJSIP/1', 'Ann')")
	n.write(t, write(directory.Change, "sippeers", "100", "ipaddr=192.0.2.1", "fullcontact=sip:100", "username=100"),
		write(directory.Change, "queue_members", "support,PJSIP/1", "paused=1", "reason_paused=lunch"),
		write(directory.Change, "sippeers", "101", "ipaddr=192.0.2.2"))
	n.exec(t, "UPDATE sippeers SET secret = 'new', ipaddr = '198.51.100.9' WHERE name = '100'",
		"UPDATE queue_members SET membername = 'Anna', penalty = 3", "DELETE FROM sippeers WHERE name = '101'")
	if err := n.feed.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.expect(t, "sippeers", "id=1&name=100&ipaddr=192.0.2.1&fullcontact=sip%3A100&host=dynamic&secret=new&username=100")
	n.drain(t)
	n.expectSQL(t, "SELECT name || secret || ipaddr || host || fullcontact FROM sippeers", "100new192.0.2.1dynamicsip:100")
	n.expectSQL(t, "SELECT membername || penalty || paused || reason_paused FROM queue_members", "Anna31lunch")
	n.expectSQL(t, "SELECT row_key || col || value FROM asterism_extra", `["100"]username100`)
	n.expect(t, "sippeers", "id=1&name=100&ipaddr=192.0.2.1&fullcontact=sip%3A100&host=dynamic&secret=new&username=100")
}

// TestRowsThatCannotBeReadBackAreReadLater: their overlays must not stay for ever.
func TestRowsThatCannotBeReadBackAreReadLater(t *testing.T) {
	n := start(t, "INSERT INTO sippeers (name, secret) VALUES ('100', 's')")
	away := errors.New("away")
	n.reader.before = func() error { return away }
	n.write(t, write(directory.Change, "sippeers", "100", "port=1"), event("1"))
	if _, err := n.spool.flushOnce(t.Context()); !errors.Is(err, away) {
		t.Fatalf("%v", err)
	}
	n.expectSQL(t, "SELECT port FROM sippeers", "1")
	n.expectState(t, State{}) // it is in SQL
	if _, err := n.spool.flushOnce(t.Context()); !errors.Is(err, away) {
		t.Fatalf("with nothing to flush: %v", err)
	}
	n.expect(t, "sippeers", "id=1&name=100&port=1&secret=s")
	n.reader.before = nil
	n.drain(t)
	if got := n.directory.Overlaid(); got != 0 {
		t.Errorf("%d overlays are left", got)
	}
	n.expectSQL(t, "SELECT event FROM queue_log", "1")
}

func TestSettlingWaitsForOneFamily(t *testing.T) {
	n := start(t, "INSERT INTO sippeers (name) VALUES ('100')")
	if err := n.spool.Settle(t.Context(), "sippeers"); err != nil {
		t.Fatal(err)
	}
	for range flushedAtOnce / 10 {
		n.write(t, event("1"), event("2"), event("3"), event("4"), event("5"), event("6"), event("7"), event("8"), event("9"), event("10"))
	}
	n.write(t, write(directory.Change, "sippeers", "100", "port=1"))
	if err := n.spool.Settle(t.Context(), "ps_contacts"); err != nil {
		t.Fatal(err)
	}
	n.expectState(t, State{Entries: flushedAtOnce + 1})
	if err := n.spool.Settle(t.Context(), "sippeers"); err != nil {
		t.Fatal(err)
	}
	n.expectSQL(t, "SELECT port FROM sippeers", "1")
	n.write(t, write(directory.Change, "sippeers", "100", "port=2"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.spool.Settle(ctx, "sippeers"); err == nil {
		t.Error("it settled after its context ended")
	}
}

// TestSettlingWaitsNoLongerThanItsContext, however long SQL keeps the flusher.
func TestSettlingWaitsNoLongerThanItsContext(t *testing.T) {
	n := start(t, "INSERT INTO sippeers (name) VALUES ('100')")
	n.write(t, write(directory.Change, "sippeers", "100", "port=1"))
	n.reader.before = func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		settled := make(chan error, 1)
		go func() { settled <- n.spool.Settle(ctx, "sippeers") }()
		deadline := time.NewTimer(patience)
		defer deadline.Stop()
		select {
		case err := <-settled:
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v", err)
			}
		case <-deadline.C:
			t.Error("it waits for the flush beside it")
		}
		return nil
	}
	n.drain(t)
}

// TestFlushesTakeTurns: a second flush that begins during the first must not take
// the same writes.
func TestFlushesTakeTurns(t *testing.T) {
	n := start(t)
	second := make(chan error, 1)
	n.reader.before = func() error {
		n.reader.before = nil
		go func() { second <- n.spool.Drain(context.Background()) }()
		turn := time.NewTimer(100 * time.Millisecond)
		defer turn.Stop()
		select {
		case err := <-second: // it did not wait
			second <- err
		case <-turn.C:
		}
		return nil
	}
	n.write(t, contact("a"), event("x"), event("y"))
	n.drain(t)
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	n.expectSQL(t, "SELECT event FROM queue_log", "x,y")
	n.expectState(t, State{})
}

// TestTheEndOfASpoolAnswersAllThatWait: a write that comes too late is refused,
// and does not hang.
func TestTheEndOfASpoolAnswersAllThatWait(t *testing.T) {
	n := start(t)
	answers := make(chan error, 200)
	for range 100 {
		go func() { answers <- n.spool.Write(context.Background(), event("x")) }()
	}
	n.stop()
	for range 100 {
		go func() { answers <- n.spool.Write(context.Background(), event("x")) }()
	}
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	acknowledged := 0
	for range 200 {
		select {
		case err := <-answers:
			if err == nil {
				acknowledged++
			}
		case <-deadline.C:
			t.Fatal("a write hangs")
		}
	}
	again := open(t, n.folder)
	again.expectState(t, State{Entries: acknowledged})
}
