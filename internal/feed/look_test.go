package feed

import (
	"os"
	"slices"
	"testing"

	"asterism/internal/store"
)

// replacement makes another store beside the first, closed as a copy tool leaves it.
func replacement(t *testing.T, beside string, statements ...string) (path string) {
	t.Helper()
	path = beside + ".other"
	writeEmpty(t, path)
	other := &followed{outside: outside(t, path)}
	other.exec(t, statements...)
	if err := other.outside.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func replace(t *testing.T, path, with string) {
	t.Helper()
	if err := os.Rename(with, path); err != nil {
		t.Fatal(err)
	}
}

func TestAReplacedDatabaseIsNoticedAndServed(t *testing.T) {
	r := follow(t, somePhones)
	r.exec(t, "UPDATE ps_aors SET max_contacts = 8") // the log of the former file is longer
	r.run(t)
	r.wait(t)
	other := replacement(t, r.path, "INSERT INTO ps_aors (id) VALUES ('other')")
	if err := r.outside.Close(); err != nil {
		t.Fatal(err)
	}
	replace(t, r.path, other)
	within(t, lookEvery/2, "the other database's rows are served", func() bool { return slices.Equal(r.rows("ps_aors"), []string{"id=other"}) })
	r.outside = outside(t, r.path)
	r.exec(t, "INSERT INTO ps_aors (id) VALUES ('later')")
	soon(t, "changes of the other database are followed", func() bool { return slices.Equal(r.rows("ps_aors"), []string{"id=later", "id=other"}) })
	r.wait(t)
	r.equal(t)
	r.expect(t, "sippeers")
}

func TestADatabaseThatCannotBeServedDoesNotEndTheAnswers(t *testing.T) {
	r := follow(t, somePhones)
	want := r.rows("ps_aors")
	if err := os.WriteFile(r.path+".broken", make([]byte, 8192), 0o600); err != nil {
		t.Fatal(err)
	}
	other := replacement(t, r.path, "INSERT INTO ps_aors (id) VALUES ('other')")
	replace(t, r.path, r.path+".broken")
	for range 3 {
		if _, err := r.feed.look(t.Context(), nil); err == nil {
			t.Fatal("a broken file is served")
		}
		if _, err := r.feed.poll(t.Context(), nil); err == nil {
			t.Fatal("a poll after that succeeds")
		}
	}
	r.feed.note(t.Context(), r.feed.replaced)
	if r.feed.State().Up {
		t.Error("the database counts as up")
	}
	r.expect(t, "ps_aors", want...)
	replace(t, r.path, other)
	r.look(t)
	r.expect(t, "ps_aors", "id=other")
	r.equal(t)
}

func TestDroppedTriggersComeBackAndWhatTheyMissedToo(t *testing.T) {
	r := follow(t, somePhones)
	r.exec(t, `DROP TRIGGER "asterism_ps_aors_update"`, "UPDATE ps_aors SET max_contacts = 77")
	r.catchUp(t)
	if len(r.differing(t)) == 0 {
		t.Fatal("memory shows what no trigger told of")
	}
	r.look(t)
	r.equal(t)
	if mended := r.feed.State().Mended; mended != 2 {
		t.Errorf("%d rows mended, want 2", mended)
	}
	r.exec(t, "UPDATE ps_aors SET max_contacts = 78")
	r.catchUp(t)
	r.equal(t)
	scans := r.directory.View().Revision()
	r.look(t) // nothing changed since
	if got := r.directory.View().Revision(); got != scans || r.feed.State().Mended != 2 {
		t.Errorf("a look at an unchanged schema publishes: %d, %d", scans, got)
	}
}

func TestANewColumnIsNoticed(t *testing.T) {
	r := follow(t, somePhones)
	r.exec(t, "ALTER TABLE ps_aors ADD COLUMN novel TEXT", "ALTER TABLE ps_aors ADD COLUMN later INTEGER", "UPDATE ps_aors SET later = 5 WHERE id = 'b'")
	r.look(t)
	r.equal(t)
	r.exec(t, "DELETE FROM asterism_extra", "UPDATE ps_aors SET novel = 'n'")
	r.catchUp(t)
	r.equal(t)
	r.expect(t, "ps_aors", "id=a&max_contacts=1&qualify_timeout=3.0&novel=n", "id=b&qualify_timeout=0.5&novel=n&later=5")
}

// TestATableThatGoesDoesNotStopTheOthers: the other families are followed while,
// and after, one can't be read.
func TestATableThatGoesDoesNotStopTheOthers(t *testing.T) {
	r := unloaded(t, store.Options{Extra: []string{"speeddial"}}, "CREATE TABLE speeddial (owner TEXT PRIMARY KEY, number TEXT)",
		"INSERT INTO speeddial VALUES ('a', '1')", "INSERT INTO sipregs (name) VALUES ('100')")
	r.load(t)
	r.exec(t, "UPDATE speeddial SET number = '2'", "UPDATE sipregs SET port = 5060", "INSERT INTO queues (name) VALUES ('a')",
		"DROP TABLE speeddial", "DROP TABLE sipregs", "INSERT INTO queues (name) VALUES ('b')")
	r.catchUp(t)
	r.expect(t, "queues", "name=a", "name=b")
	r.expect(t, "speeddial", "owner=a&number=1") // the last that was known
	if !r.feed.lookNow.Load() {
		t.Error("the tables are not looked at soon")
	}
	r.run(t)
	r.exec(t, "INSERT INTO queues (name) VALUES ('c')")
	r.wait(t)
	r.expect(t, "queues", "name=a", "name=b", "name=c")
	soon(t, "the store knows that the tables are gone", func() bool {
		_, extra := r.store.Family("speeddial")
		_, standard := r.store.Family("sipregs")
		return extra != nil && standard != nil
	})
	r.exec(t, "DELETE FROM queues WHERE name = 'a'")
	r.wait(t)
	r.equal(t)
}

func TestATableThatComesBackIsReadAgain(t *testing.T) {
	r := follow(t, "INSERT INTO queues (name) VALUES ('a')")
	r.exec(t, "ALTER TABLE queues RENAME TO away")
	r.look(t)
	r.expect(t, "queues", "name=a")
	r.exec(t, "DROP TABLE away", "CREATE TABLE queues (strategy TEXT, name TEXT PRIMARY KEY)", "INSERT INTO queues VALUES ('linear', 'b')")
	r.look(t)
	r.expect(t, "queues", "strategy=linear&name=b")
	r.exec(t, "UPDATE queues SET name = 'c'")
	r.catchUp(t)
	r.equal(t)
}

func TestABulkOfATableThatIsGoneDoesNotStopTheOthers(t *testing.T) {
	r := follow(t)
	r.feed.bulk = 300
	r.exec(t, series("ps_aors", 1, 400), "DROP TABLE ps_aors", "INSERT INTO queues (name) VALUES ('a')")
	r.catchUp(t)
	r.expect(t, "queues", "name=a")
}
