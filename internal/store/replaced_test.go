package store

import (
	"os"
	"path/filepath"
	"testing"

	"asterism/internal/failure"
)

// another makes a database file beside the first, closed as a copy tool or a
// stopped program leaves it.
func another(t *testing.T, beside string, ids ...string) string {
	t.Helper()
	path := beside + ".other"
	s := initialise(t, path, Options{})
	for _, id := range ids {
		put(t, s, "ps_aors", "id="+id)
	}
	if err := s.Close(); err != nil {
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

func TestAReplacedFileIsServedAfterReconnect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	s := initialise(t, path, Options{})
	put(t, s, "ps_aors", "id=former") // in the former file's WAL, which lies at the same path as the new one's would
	other := another(t, path, "a", "b")
	if s.Replaced() {
		t.Error("replaced too early")
	}
	replace(t, path, other)
	if !s.Replaced() {
		t.Fatal("not noticed")
	}
	if err := s.Reconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.Replaced() {
		t.Error("still replaced")
	}
	expectAll(t, s, "ps_aors", "id=a", "id=b")
	put(t, s, "ps_aors", "id=c")
	expectAll(t, s, "ps_aors", "id=a", "id=b", "id=c")
	expect(t, s, "PRAGMA integrity_check", "ok")
}

func TestNothingIsWrittenToAFileThatIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	s := initialise(t, path, Options{})
	put(t, s, "ps_aors", "id=a")
	f := func(name string) {
		t.Helper()
		err := s.Write(t.Context(), "put", func(w *Writer) error {
			_, err := w.Put(t.Context(), familyOf(t, s, "ps_aors"), textsOf("id=lost"))
			return err
		})
		if failure.KindOf(err) != failure.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
		if scan, err := s.Scan(); failure.KindOf(err) != failure.Unavailable {
			t.Errorf("%s: a scan %v, %v", name, scan, err)
		}
		expect(t, s, "SELECT id FROM ps_aors", "a")
	}
	other := another(t, path, "b")
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	f("no file")
	replace(t, path, other)
	f("another file")
	if err := s.Reconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, s, "ps_aors", "id=c")
	expectAll(t, s, "ps_aors", "id=b", "id=c")
}

func TestAFileThatCannotBeServedIsTriedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	s := initialise(t, path, Options{})
	put(t, s, "ps_aors", "id=a")
	other := another(t, path, "b")
	if err := os.WriteFile(path+".broken", []byte("not a database, but long enough to look like one would, perhaps: "+string(make([]byte, 4096))), 0o600); err != nil {
		t.Fatal(err)
	}
	replace(t, path, path+".broken")
	if err := s.Reconnect(t.Context()); err == nil {
		t.Fatal("a broken file opens")
	}
	replace(t, path, other)
	if err := s.Reconnect(t.Context()); err != nil {
		t.Fatal(err)
	}
	expectAll(t, s, "ps_aors", "id=b")
}

func TestAWatchTellsOfWritesOfOthersOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	s := initialise(t, path, Options{})
	watch, err := s.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Close()
	f := func(want bool, what string) {
		t.Helper()
		if got, err := watch.Changed(t.Context()); got != want || err != nil {
			t.Errorf("%s: changed %v, want %v (%v)", what, got, want, err)
		}
	}
	f(true, "the first look")
	f(false, "nothing")
	put(t, s, "ps_aors", "id=a")
	f(true, "a write")
	f(false, "nothing since")
	if _, err := rawSQLite(t, path).Exec("UPDATE ps_aors SET max_contacts = 1"); err != nil {
		t.Fatal(err)
	}
	f(true, "a write of another program")
	all(t, s, "ps_aors")
	f(false, "a read")
}
