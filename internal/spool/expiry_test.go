package spool

import (
	"fmt"
	"testing"
	"time"

	"asterism/internal/directory"
)

func expiring(id string, at int64) directory.Write {
	return contact(id, fmt.Sprintf("expiration_time=%d", at))
}

// found gives how many contacts a question finds at the node's time.
func (n *node) found(op directory.Op, column, value string) int {
	table := n.directory.View().Table([]byte("ps_contacts"))
	return table.Find(directory.Query{Now: n.now.Load(), Conditions: []directory.Condition{{Column: []byte(column), Op: op, Value: []byte(value)}}},
		func(directory.Row) bool { return true }).Rows
}

func TestExpiredContactsAreHiddenThenSwept(t *testing.T) {
	n := start(t)
	n.write(t, expiring("a", epoch+60), expiring("b", epoch+3600), contact("forever"))
	n.drain(t)
	sweepAt := func(after time.Duration) {
		n.now.Store(epoch + int64(after/time.Second))
		n.spool.sweep(t.Context())
	}
	f := func(shown, due int) {
		t.Helper()
		if got := n.found(directory.Like, "id", "%"); got != shown {
			t.Errorf("%d s: %d contacts are shown, want %d", n.now.Load()-epoch, got, shown)
		}
		if got := n.found(directory.LessEqual, "expiration_time", fmt.Sprint(n.now.Load())); got != due {
			t.Errorf("%d s: Asterisk's expiry finds %d contacts, want %d", n.now.Load()-epoch, got, due)
		}
	}
	f(3, 0)
	sweepAt(61 * time.Second)
	f(2, 1)
	if n.spool.WasExpired("ps_contacts", []string{"a"}) {
		t.Error("a contact that is there counts as gone")
	}
	sweepAt(61*time.Second + keptExpired - time.Second)
	f(2, 1)
	sweepAt(61*time.Second + keptExpired)
	f(2, 0)
	if !n.spool.WasExpired("ps_contacts", []string{"a"}) || n.spool.WasExpired("ps_contacts", []string{"b"}) {
		t.Error("what was swept is not known")
	}
	n.drain(t)
	n.expectSQL(t, "SELECT id FROM ps_contacts ORDER BY id", "b,forever")
	n.spool.sweep(t.Context())
	n.expectState(t, State{}) // nothing is swept twice
	sweepAt(62*time.Second + keptExpired + keptGone)
	if n.spool.WasExpired("ps_contacts", []string{"a"}) {
		t.Error("what was swept long ago is still known")
	}
}

// TestAContactThatIsStoredAgainIsNotSwept: its two minutes begin anew.
func TestAContactThatIsStoredAgainIsNotSwept(t *testing.T) {
	n := start(t)
	n.write(t, expiring("a", epoch-1))
	n.spool.sweep(t.Context())
	n.now.Add(int64(keptExpired/time.Second) - 1)
	n.spool.sweep(t.Context())
	n.write(t, expiring("a", n.now.Load()+60))
	n.now.Add(2)
	n.spool.sweep(t.Context())
	if got := n.found(directory.Like, "id", "%"); got != 1 {
		t.Errorf("%d contacts", got)
	}
	n.now.Add(60)
	n.spool.sweep(t.Context())
	if got := n.found(directory.LessEqual, "expiration_time", fmt.Sprint(n.now.Load())); got != 1 {
		t.Errorf("it was swept at once after its second life: %d", got)
	}
}

// TestADeletedExpiredContactWasExpired: each Asterisk expires it by itself.
func TestADeletedExpiredContactWasExpired(t *testing.T) {
	n := start(t)
	n.write(t, expiring("old", epoch-1), expiring("valid", epoch+60))
	n.write(t, write(directory.Delete, "ps_contacts", "old"), write(directory.Delete, "ps_contacts", "valid"))
	f := func(id string, want bool) {
		t.Helper()
		if got := n.spool.WasExpired("ps_contacts", []string{id}); got != want {
			t.Errorf("%s was expired: %v, want %v", id, got, want)
		}
	}
	f("old", true)
	f("old", true)
	f("valid", false)
	f("none", false)
	n.write(t, expiring("old", epoch+60))
	f("old", false) // it lives again
}

// TestWhatExpiredDuringAnOutageIsNotFlushed, nor does SQL's former row of it come
// back to life.
func TestWhatExpiredDuringAnOutageIsNotFlushed(t *testing.T) {
	n := start(t, fmt.Sprintf("INSERT INTO ps_contacts (id, expiration_time, uri) VALUES ('known', %d, 'former')", epoch+86_400))
	n.write(t, expiring("known", epoch+60), expiring("new", epoch+60), expiring("valid", epoch+3600), contact("forever", "expiration_time=0"))
	n = n.crash(t)
	n.now.Store(epoch + 60 + int64(keptExpired/time.Second) + 1)
	n.exec(t, "CREATE TABLE seen (id TEXT)", "CREATE TRIGGER watch AFTER INSERT ON ps_contacts BEGIN INSERT INTO seen VALUES (NEW.id); END")
	n.drain(t)
	n.expectSQL(t, "SELECT id FROM seen ORDER BY id", "forever,valid")
	n.expectSQL(t, "SELECT id FROM ps_contacts ORDER BY id", "forever,valid")
	n.expect(t, "ps_contacts", "id=forever&expiration_time=0", fmt.Sprintf("id=valid&expiration_time=%d", epoch+3600))
}

// TestAnAsteriskWhoseClockIsSlowKeepsItsContacts: one that is stored with a time
// that is over is kept as long as any other, from its store on.
func TestAnAsteriskWhoseClockIsSlowKeepsItsContacts(t *testing.T) {
	n := start(t)
	n.write(t, expiring("a", epoch-3600))
	n.drain(t)
	n.spool.sweep(t.Context())
	if got := n.found(directory.LessEqual, "expiration_time", fmt.Sprint(epoch)); got != 1 {
		t.Errorf("Asterisk's expiry finds %d contacts", got)
	}
	n.expectSQL(t, "SELECT id FROM ps_contacts", "a")
	n.now.Add(int64(keptExpired / time.Second))
	n.spool.sweep(t.Context())
	n.drain(t)
	n.expectSQL(t, "SELECT id FROM ps_contacts", "")
}

func TestFamiliesWithoutExpiryAreNotSwept(t *testing.T) {
	n := start(t)
	n.write(t, write(directory.Put, "ps_subscription_persistence", "s", "id=s", "expires=1"), write(directory.Put, "sipregs", "r", "name=r", "regseconds=1"))
	for range 3 {
		n.now.Add(86_400)
		n.spool.sweep(t.Context())
	}
	n.drain(t)
	n.expectSQL(t, "SELECT id FROM ps_subscription_persistence UNION SELECT name FROM sipregs", "r,s")
}
