package spool

import (
	"fmt"
	"strings"
	"testing"

	"asterism/internal/directory"
)

func TestAFullDiskStopsNoRegistration(t *testing.T) {
	n := start(t)
	n.write(t, contact("first"))
	n.expectState(t, State{Entries: 1})
	if err := n.journal.LimitPages(t.Context(), 12); err != nil {
		t.Fatal(err)
	}
	big := "path=" + strings.Repeat("x", 8000)
	stored := 1
	for ; n.spool.State().Undurable == 0; stored++ {
		if stored > 20 {
			t.Fatal("the disk does not fill")
		}
		n.write(t, contact(fmt.Sprintf("big%02d", stored), big))
	}
	n.write(t, contact("full", big), contact("full2", big))
	stored += 2
	state := n.spool.State()
	if state.Entries != stored || state.Undurable != 3 {
		t.Errorf("state %+v, want %d entries, 3 of them undurable", state, stored)
	}
	if got := len(n.rows("ps_contacts")); got != stored {
		t.Errorf("%d contacts are visible, want %d", got, stored)
	}
	crashed := n.crash(t)
	if got := crashed.spool.State().Entries; got != stored-3 {
		t.Errorf("%d writes are durable, want %d", got, stored-3)
	}
	if err := n.journal.LimitPages(t.Context(), 1<<30); err != nil {
		t.Fatal(err)
	}
	n.write(t, contact("room")) // brings the others to the disk
	stored++
	n.expectState(t, State{Entries: stored})
	if got := n.crash(t).spool.State().Entries; got != stored {
		t.Errorf("%d writes are durable, want %d", got, stored)
	}
	n.drain(t)
	n.expectSQL(t, "SELECT count(*) FROM ps_contacts", fmt.Sprint(stored))
}

func TestWhatIsOnlyInMemoryIsFlushed(t *testing.T) {
	n := start(t)
	if err := n.journal.LimitPages(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	big := "path=" + strings.Repeat("x", 20_000)
	n.write(t, contact("a", big), event("1"))
	n.write(t, contact("b", big), event("2"))
	n.expectState(t, State{Entries: 4, Undurable: 4})
	n.drain(t)
	n.expectState(t, State{})
	n.expectSQL(t, "SELECT id FROM ps_contacts ORDER BY id", "a,b")
	n.expectSQL(t, "SELECT event FROM queue_log ORDER BY id", "1,2")
}

// TestALockedDatabaseStopsNoRegistration: writes are answered while another
// program holds the lock, and flushed once it lets go.
func TestALockedDatabaseStopsNoRegistration(t *testing.T) {
	n := start(t, "INSERT INTO sippeers (name, secret) VALUES ('100', 's')")
	n.exec(t, "BEGIN EXCLUSIVE")
	n.run(t)
	for i := range 20 {
		n.write(t, contact(fmt.Sprintf("%02d", i)), event(fmt.Sprint(i)), write(directory.Change, "sippeers", "100", fmt.Sprintf("port=%d", i)))
	}
	n.expectState(t, State{Entries: 60})
	n.expect(t, "sippeers", "id=1&name=100&port=19&secret=s")
	if got := len(n.rows("ps_contacts")); got != 20 {
		t.Errorf("%d contacts", got)
	}
	n.exec(t, "UPDATE sippeers SET secret = 'new'", "COMMIT")
	soon(t, "everything is flushed", func() bool { return n.spool.State().Entries == 0 })
	n.expectState(t, State{})
	n.expectSQL(t, "SELECT count(*) FROM ps_contacts", "20")
	n.expectSQL(t, "SELECT count(*) || ' ' || count(DISTINCT event) FROM queue_log", "20 20")
	n.expectSQL(t, "SELECT secret || port FROM sippeers", "new19")
	n.expect(t, "sippeers", "id=1&name=100&port=19&secret=new")
}

// TestADatabaseThatIsAwayIsNoted: nothing is lost, and the state says so.
func TestADatabaseThatIsAwayIsNoted(t *testing.T) {
	n := start(t)
	n.exec(t, "ALTER TABLE asterism_meta RENAME TO away")
	n.run(t)
	n.write(t, contact("a"), event("1"))
	soon(t, "the spool knows that SQL can't be written", func() bool { return n.spool.State().Down })
	n.write(t, contact("b"), event("2"))
	n.exec(t, "ALTER TABLE away RENAME TO asterism_meta")
	soon(t, "everything is flushed", func() bool { return n.spool.State() == State{} })
	n.expectSQL(t, "SELECT id FROM ps_contacts ORDER BY id", "a,b")
	n.expectSQL(t, "SELECT event FROM queue_log ORDER BY id", "1,2")
}
