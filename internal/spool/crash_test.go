package spool

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asterism/internal/directory"
)

func TestAcknowledgedWritesSurviveACrash(t *testing.T) {
	n := start(t, "INSERT INTO sippeers (name, secret) VALUES ('100', 's')", "INSERT INTO ps_contacts (id, uri) VALUES ('old', 'x')")
	n.write(t, contact("a", "uri=M\xfcller"), event("1"))
	n.write(t, write(directory.Change, "sippeers", "100", "port=5060"), write(directory.Delete, "ps_contacts", "old"))
	n.write(t, contact("a", "uri=2"), event("2"))
	visible := func(n *node) {
		t.Helper()
		n.expect(t, "ps_contacts", "id=a&uri=2")
		n.expect(t, "sippeers", "id=1&name=100&port=5060&secret=s")
	}
	visible(n)
	again := n.crash(t)
	visible(again)
	again.expectState(t, State{Entries: 6})
	twice := again.crash(t) // before anything was flushed
	twice.write(t, event("3"))
	twice.drain(t)
	visible(twice)
	twice.expectSQL(t, "SELECT event FROM queue_log ORDER BY id", "1,2,3")
	twice.expectSQL(t, "SELECT id || uri FROM ps_contacts", "a2")
	clean := twice.crash(t)
	clean.expectState(t, State{})
	visible(clean)
}

// TestACrashBetweenCommitAndForgettingDoublesNothing: the position in SQL tells
// what of the journal is there.
func TestACrashBetweenCommitAndForgettingDoublesNothing(t *testing.T) {
	n := start(t)
	n.write(t, contact("a", "uri=1"), event("1"), event("2"), write(directory.Delete, "ps_contacts", "a"))
	var crashed *node
	n.reader.before = func() error {
		n.reader.before = nil
		crashed = n.crash(t)
		return nil
	}
	n.drain(t)
	if crashed == nil {
		t.Fatal("nothing was read back")
	}
	entries, err := crashed.journal.Entries(t.Context(), 0)
	if err != nil || len(entries) != 4 {
		t.Fatalf("the journal holds %v, %v: the crash came too late", entries, err)
	}
	crashed.expectState(t, State{})
	crashed.exec(t, "INSERT INTO ps_contacts (id, uri) VALUES ('a', 'operator')")
	crashed.write(t, event("3"))
	crashed.drain(t)
	crashed.expectSQL(t, "SELECT event FROM queue_log ORDER BY id", "1,2,3")
	crashed.expectSQL(t, "SELECT id || uri FROM ps_contacts", "aoperator")
	if entries, err := crashed.journal.Entries(t.Context(), 0); err != nil || len(entries) != 0 {
		t.Errorf("left in the journal: %v, %v", entries, err)
	}
}

// TestNumbersGoOnAfterACrash: an emptied journal does not begin at 1 again, else
// the position in SQL would hide what comes.
func TestNumbersGoOnAfterACrash(t *testing.T) {
	n := start(t)
	for range 3 {
		n.write(t, event("x"))
	}
	n.drain(t)
	n = n.crash(t)
	n.write(t, event("y"))
	n = n.crash(t)
	n.expectState(t, State{Entries: 1})
	n.drain(t)
	n.expectSQL(t, "SELECT event FROM queue_log ORDER BY id", "x,x,x,y")
}

func TestRowsOfALogKeepTheirOrderAndCount(t *testing.T) {
	n := start(t)
	var want []string
	for i := range 110 {
		writes := []directory.Write{contact("a", fmt.Sprintf("uri=%d", i))}
		for j := range 10 {
			want = append(want, fmt.Sprint(10*i+j))
			writes = append(writes, event(want[len(want)-1]))
		}
		n.write(t, writes...)
		if i == 60 {
			if more, err := n.spool.flushOnce(t.Context()); err != nil || !more {
				t.Fatalf("more %v, %v", more, err)
			}
			n = n.crash(t)
		}
	}
	n.drain(t)
	n.expectSQL(t, "SELECT event FROM queue_log ORDER BY id", strings.Join(want, ","))
	n.expect(t, "ps_contacts", "id=a&uri=109")
}

// TestRefusedWritesSurviveACrashAnywhere: they are noted aside before the others
// are committed.
func TestRefusedWritesSurviveACrashAnywhere(t *testing.T) {
	n := start(t, "CREATE TRIGGER picky BEFORE INSERT ON ps_contacts WHEN NEW.uri = 'bad' BEGIN SELECT RAISE(ABORT, 'bad uri'); END")
	n.write(t, contact("a", "uri=bad"), contact("b", "uri=good"), write(directory.Change, "ps_contacts", "a", "via_port=5060"), event("1"))
	before, between := t.TempDir(), t.TempDir()
	copyDatabase(t, n.folder, before, storeName)
	n.reader.before = func() error {
		copyDatabase(t, n.folder, between, storeName)
		copyDatabase(t, n.folder, between, spoolName)
		copyDatabase(t, n.folder, before, spoolName) // the journal noted it, SQL did not commit
		return nil
	}
	n.drain(t)
	visible := func(name string, n *node) {
		t.Helper()
		n.expect(t, "ps_contacts", "id=a&uri=bad&via_port=5060", "id=b&uri=good")
		if got := n.spool.State().Refused; got != 1 {
			t.Errorf("%s: %d rows refused", name, got)
		}
	}
	visible("no crash", n)
	for name, folder := range map[string]string{"before the commit": before, "after the commit": between} {
		if _, err := os.Stat(filepath.Join(folder, spoolName)); err != nil {
			t.Fatal(err)
		}
		crashed := open(t, folder)
		visible(name, crashed)
		crashed.drain(t)
		visible(name, crashed)
		crashed.expectSQL(t, "SELECT event FROM queue_log", "1")
		crashed.expectSQL(t, "SELECT id FROM ps_contacts", "b")
		crashed.exec(t, "DROP TRIGGER picky")
		crashed.write(t, write(directory.Change, "ps_contacts", "a", "via_addr=192.0.2.1"))
		crashed.drain(t)
		crashed.expectSQL(t, "SELECT id || uri || via_port || via_addr FROM ps_contacts WHERE id = 'a'", "abad5060192.0.2.1")
		crashed.expectState(t, State{})
	}
}
