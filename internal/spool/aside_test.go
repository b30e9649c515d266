package spool

import (
	"slices"
	"testing"

	"asterism/internal/directory"
)

// picky makes SQL refuse contacts whose uri is "bad".
const picky = `CREATE TRIGGER picky_insert BEFORE INSERT ON ps_contacts WHEN NEW.uri = 'bad' BEGIN SELECT RAISE(ABORT, 'bad uri'); END;
CREATE TRIGGER picky_update BEFORE UPDATE ON ps_contacts WHEN NEW.uri = 'bad' BEGIN SELECT RAISE(ABORT, 'bad uri'); END`

const mended = "DROP TRIGGER picky_insert; DROP TRIGGER picky_update"

func TestARefusedRowIsServedAndTheRestGoesOn(t *testing.T) {
	n := start(t, picky)
	n.write(t, contact("a", "uri=bad"), contact("b", "uri=1"), event("1"))
	n.drain(t)
	n.write(t, contact("c", "uri=2"), event("2"))
	n.drain(t)
	n.expect(t, "ps_contacts", "id=a&uri=bad", "id=b&uri=1", "id=c&uri=2")
	n.expectSQL(t, "SELECT id FROM ps_contacts ORDER BY id", "b,c")
	n.expectSQL(t, "SELECT event FROM queue_log ORDER BY id", "1,2")
	n.expectState(t, State{Refused: 1})
	rows, err := n.journal.RefusedRows(t.Context())
	if err != nil || len(rows) != 1 || rows[0].Family != "ps_contacts" || !slices.Equal(rows[0].Key, []string{"a"}) || rows[0].Error == "" {
		t.Errorf("listed: %v, %v", rows, err)
	}
	if _, err := n.feed.Scrub(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.expect(t, "ps_contacts", "id=a&uri=bad", "id=b&uri=1", "id=c&uri=2")
	again := n.crash(t)
	again.expect(t, "ps_contacts", "id=a&uri=bad", "id=b&uri=1", "id=c&uri=2")
	again.expectState(t, State{Refused: 1})
}

func TestAMendedRowIsAcceptedWithItsNextWrite(t *testing.T) {
	n := start(t, picky)
	accepted := func(what string) {
		t.Helper()
		n.drain(t)
		n.expectState(t, State{})
		if rows, err := n.journal.Refused(t.Context()); err != nil || len(rows) != 0 {
			t.Errorf("%s: still aside: %v, %v", what, rows, err)
		}
		if got := n.directory.Overlaid(); got != 0 {
			t.Errorf("%s: %d overlays are left", what, got)
		}
	}
	n.write(t, contact("a", "uri=bad", "path=p"))
	n.drain(t)
	n.write(t, contact("a", "uri=good"))
	accepted("a better row")
	n.expectSQL(t, "SELECT id || uri || path FROM ps_contacts", "agoodp")

	n.write(t, contact("b", "uri=bad"))
	n.drain(t)
	n.exec(t, mended)
	n.write(t, write(directory.Change, "ps_contacts", "b", "via_port=5060"))
	accepted("a better table")
	n.expectSQL(t, "SELECT uri || via_port FROM ps_contacts WHERE id = 'b'", "bad5060")
	n.expect(t, "ps_contacts", "id=a&uri=good&path=p", "id=b&uri=bad&via_port=5060")
}

// TestWhatFollowsARefusedWriteIsNotLost: a change of a row that SQL does not have
// changes nothing there, and must not end the row's life in memory.
func TestWhatFollowsARefusedWriteIsNotLost(t *testing.T) {
	n := start(t, picky)
	n.write(t, contact("a", "uri=bad"))
	n.drain(t)
	for i, port := range []string{"1", "2", "3"} {
		n.write(t, write(directory.Change, "ps_contacts", "a", "via_port="+port))
		if i != 1 {
			n.drain(t)
		}
		n.expect(t, "ps_contacts", "id=a&uri=bad&via_port="+port)
	}
	n.drain(t)
	n.expectState(t, State{Refused: 1})
	if rows, err := n.journal.Refused(t.Context()); err != nil || len(rows) != 1 {
		t.Errorf("%d writes are aside for one row: %v", len(rows), err)
	}
	again := n.crash(t)
	again.expect(t, "ps_contacts", "id=a&uri=bad&via_port=3")
	again.exec(t, mended)
	again.write(t, write(directory.Change, "ps_contacts", "a", "via_addr=x"))
	again.drain(t)
	again.expectSQL(t, "SELECT id || uri || via_port || via_addr FROM ps_contacts", "abad3x")
	again.expectState(t, State{})
}

func TestADeletedRowDoesNotComeBackFromAside(t *testing.T) {
	gone := func(n *node) {
		t.Helper()
		n.drain(t)
		n.expect(t, "ps_contacts")
		n.expectState(t, State{})
		n = n.crash(t)
		n.expect(t, "ps_contacts")
		n.expectState(t, State{})
	}
	n := start(t, picky)
	n.write(t, contact("a", "uri=bad"))
	n.drain(t)
	n.write(t, write(directory.Delete, "ps_contacts", "a"))
	gone(n)
	n.write(t, contact("a", "uri=bad"), write(directory.Delete, "ps_contacts", "a")) // flushed together
	gone(n)
	n.write(t, write(directory.Delete, "ps_contacts", "a"), contact("a", "uri=bad"))
	n.drain(t)
	n.expectState(t, State{Refused: 1})
	n.expect(t, "ps_contacts", "id=a&uri=bad")
	n.write(t, write(directory.Delete, "ps_contacts", "a"))
	gone(n)
}

func TestARefusedDeletionHidesTheRow(t *testing.T) {
	n := start(t, "INSERT INTO ps_contacts (id, uri) VALUES ('a', '1')",
		"CREATE TRIGGER keeper BEFORE DELETE ON ps_contacts BEGIN SELECT RAISE(ABORT, 'kept'); END")
	n.write(t, write(directory.Delete, "ps_contacts", "a"))
	n.drain(t)
	n.expect(t, "ps_contacts")
	n.expectState(t, State{Refused: 1})
	n = n.crash(t)
	n.expect(t, "ps_contacts")
	n.write(t, contact("a", "uri=2"))
	n.drain(t)
	n.expect(t, "ps_contacts", "id=a&uri=2")
	n.expectSQL(t, "SELECT uri FROM ps_contacts", "2")
	n.expectState(t, State{})
}

func TestRefusedRowsOfALogAreKeptEach(t *testing.T) {
	n := start(t, "CREATE TRIGGER picky BEFORE INSERT ON queue_log WHEN NEW.event = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END")
	n.write(t, event("1"), event("bad"), event("2"), event("bad"))
	n.drain(t)
	n.write(t, event("3"))
	n.drain(t)
	n.expectSQL(t, "SELECT event FROM queue_log ORDER BY id", "1,2,3")
	n.expectState(t, State{Refused: 2})
	n.crash(t).expectState(t, State{Refused: 2})
}

func TestWritesToATableThatIsGoneAreSetAside(t *testing.T) {
	n := start(t)
	n.exec(t, "DROP TABLE sipregs")
	for range 2 {
		n.write(t, write(directory.Put, "sipregs", "100", "name=100", "port=5060"), contact("a", "uri=1"))
		n.drain(t)
		n.expect(t, "sipregs", "name=100&port=5060")
		n.expectState(t, State{Refused: 1})
		if err := n.store.Describe(t.Context()); err != nil { // from now on the store knows
			t.Fatal(err)
		}
	}
	n.expectSQL(t, "SELECT id FROM ps_contacts", "a")
	again := n.crash(t) // this life does not even know the family
	again.write(t, contact("b", "uri=1"))
	again.drain(t)
	again.expectSQL(t, "SELECT id FROM ps_contacts ORDER BY id", "a,b")
}
