package store

import (
	"slices"
	"testing"

	"asterism/internal/family"
)

func triggersLogOldAndNewKey(t *testing.T, s *Store) {
	f := func(statement string, want ...string) {
		t.Helper()
		if got := logged(t, s, func() { execute(t, s, statement) }); !slices.Equal(got, append([]string{}, want...)) {
			t.Errorf("%s: logged %q, want %q", statement, got, want)
		}
	}
	f("INSERT INTO extensions (context, exten, priority, app, appdata) VALUES ('default', '100', 1, 'Dial', '')", `extensions ["default","100","1"]`)
	f("UPDATE extensions SET app = 'Hangup'", `extensions ["default","100","1"]`)
	f("UPDATE extensions SET app = 'Hangup'", `extensions ["default","100","1"]`)
	f("UPDATE extensions SET priority = 2", `extensions ["default","100","2"]`, `extensions ["default","100","1"]`)
	f("UPDATE extensions SET app = 'Dial' WHERE exten = 'none'")
	f("DELETE FROM extensions", `extensions ["default","100","2"]`)
	f("INSERT INTO ps_aors (id) VALUES ('a'), ('b')", `ps_aors ["a"]`, `ps_aors ["b"]`)
	f("INSERT INTO ps_aors (id) VALUES ('a') ON CONFLICT (id) DO UPDATE SET max_contacts = 1", `ps_aors ["a"]`)
	f("INSERT INTO numbers (number) VALUES ('100')", `numbers ["","100"]`)
	f("INSERT INTO queue_log (event) VALUES ('ENTERQUEUE')")
	f("INSERT INTO cdr (src) VALUES ('100')")
	f("UPDATE ps_aors SET id = upper(id)", `ps_aors ["A"]`, `ps_aors ["a"]`, `ps_aors ["B"]`, `ps_aors ["b"]`)
}

// keysAreSpelledAlike holds the triggers' spelling against family.AppendKey, and
// what the key finds again.
func keysAreSpelledAlike(t *testing.T, s *Store) {
	f := func(text string) {
		t.Helper()
		got := logged(t, s, func() { execute(t, s, "INSERT INTO queues (name) VALUES (?)", text) })
		if want := "queues " + string(family.AppendKey(nil, text)); !slices.Equal(got, []string{want}) {
			t.Errorf("the key of %q is logged as %q, want %q", text, got, want)
		}
		reader, err := s.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		var into collector
		if err := reader.Buckets(t.Context(), familyOf(t, s, "queues"), [][]string{{text}}, &into); err != nil || len(into.rows) != 1 {
			t.Errorf("key %q: rows %q, %v", text, into.rows, err)
		}
	}
	f("plain")
	f("")
	f(" blanks , commas")
	f(`"quoted" 'twice'`)
	f(`back\slash\\`)
	f("tab\t line\n return\r feed\f bell\b")
	f("\x01\x02\x1e\x1f\x7f")
	f("nul\x00inside")
	f("Zürich 東京 😀 \u2028")
	f("M\xfcller \xff\xfe")
	f("6001^3B@0123")
	f("</script>&/")
	f(`["a","b"]`)
}

func TestNullInAKeyIsLoggedAsEmpty(t *testing.T) {
	path := t.TempDir() + "/asterism.db"
	raw := rawSQLite(t, path)
	if _, err := raw.Exec("CREATE TABLE voicemail (uniqueid INTEGER PRIMARY KEY, context VARCHAR(80), mailbox VARCHAR(80), password VARCHAR(80))"); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	s := initialise(t, path, Options{})
	got := logged(t, s, func() {
		execute(t, s, "INSERT INTO voicemail (mailbox) VALUES ('100')")
		execute(t, s, "UPDATE voicemail SET context = ''")
		execute(t, s, "UPDATE voicemail SET context = 'default'")
	})
	want := []string{`voicemail ["","100"]`, `voicemail ["","100"]`, `voicemail ["default","100"]`, `voicemail ["","100"]`}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	execute(t, s, "UPDATE voicemail SET context = NULL")
	reader, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var into collector
	if err := reader.Buckets(t.Context(), familyOf(t, s, "voicemail"), [][]string{{"", "100"}}, &into); err != nil || !slices.Equal(into.rows, []string{"uniqueid=1 mailbox=100"}) {
		t.Errorf("the key finds %q, %v", into.rows, err)
	}
}

func triggersAreMadeOnce(t *testing.T, s *Store) {
	before, err := s.existingTriggers(t.Context())
	if err != nil || len(before) == 0 {
		t.Fatal(before, err)
	}
	version, err := s.SchemaVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.EnsureTriggers(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now, err := s.SchemaVersion(t.Context()); err != nil || now != version {
		t.Errorf("triggers that were right were made again (%v)", err)
	}
	execute(t, s, `DROP TRIGGER "asterism_sippeers_update"`)
	execute(t, s, `DROP TRIGGER "asterism_queues_delete"`)
	execute(t, s, `CREATE TRIGGER "asterism_queues_delete" AFTER DELETE ON queues BEGIN SELECT 1; END`)
	if err := s.EnsureTriggers(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := s.existingTriggers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range before {
		if after[name] != text {
			t.Errorf("trigger %s: %q", name, after[name])
		}
	}
}

// A key may move in a statement that does not name its column.
func TestAKeyThatIsTheRowIDIsLoggedWhenThatMoves(t *testing.T) {
	path := t.TempDir() + "/asterism.db"
	raw := rawSQLite(t, path)
	if _, err := raw.Exec("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO things VALUES (1, 'a')"); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	s := initialise(t, path, Options{Extra: []string{"things"}})
	got := logged(t, s, func() { execute(t, s, "UPDATE things SET rowid = 2") })
	slices.Sort(got)
	if want := []string{`things ["1"]`, `things ["2"]`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
