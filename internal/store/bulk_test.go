package store

import (
	"testing"

	"asterism/internal/failure"
)

func loadRows(t *testing.T, s *Store, name string, columns []string, rows ...[]string) {
	t.Helper()
	if err := s.Load(t.Context(), familyOf(t, s, name), columns, rows); err != nil {
		t.Fatal(err)
	}
}

func loadUpserts(t *testing.T, s *Store) {
	put(t, s, "numbers", "number=1", "codecs=g722", "note=kept")
	columns := []string{"number", "tenant", "codecs"}
	for range 2 { // it may run again
		loadRows(t, s, "numbers", columns, []string{"1", "", "ulaw"}, []string{"2", "acme", "alaw"}, []string{"2", "acme", "opus"})
		expectAll(t, s, "numbers", "number=1 codecs=ulaw note=kept", "tenant=acme number=2 codecs=opus")
	}
	loadRows(t, s, "numbers", []string{"tenant", "number", "codecs", "enabled"}, []string{"", "1", "", ""})
	expect(t, s, "SELECT codecs, enabled FROM numbers WHERE number = '1'", "|NULL")
	loadRows(t, s, "ps_aors", []string{"id"}, []string{"a"}, []string{"b"}, []string{"a"}) // nothing but the key
	expectAll(t, s, "ps_aors", "id=a", "id=b")
	var many [][]string
	for i := range 3*statementRows + 1 {
		many = append(many, []string{numbered(i), "1"})
	}
	loadRows(t, s, "ps_aors", []string{"id", "max_contacts"}, many...)
	expect(t, s, "SELECT count(*), min(id), max(id) FROM ps_aors WHERE max_contacts = 1", "151|00000|00150")
}

// loadOfKeysThatAreNotUniqueCanRunAgain: voicemail's key may name several boxes,
// queue_rules' several rules; neither doubles when a load runs again.
func loadOfKeysThatAreNotUniqueCanRunAgain(t *testing.T, s *Store) {
	for range 2 {
		loadRows(t, s, "voicemail", []string{"context", "mailbox", "password", "fullname"},
			[]string{"default", "100", "1", "Ann"}, []string{"default", "101", "2", "Bob"})
		expect(t, s, "SELECT mailbox, password, fullname FROM voicemail ORDER BY mailbox", "100|1|Ann", "101|2|Bob")
		loadRows(t, s, "queue_rules", []string{"rule_name", "time", "min_penalty", "max_penalty"},
			[]string{"r", "30", "0", "5"}, []string{"r", "60", "0", "10"})
		expect(t, s, "SELECT rule_name, time, max_penalty FROM queue_rules ORDER BY time", "r|30|5", "r|60|10")
	}
	loadRows(t, s, "voicemail", []string{"mailbox", "context", "password"}, []string{"100", "default", "9"})
	expect(t, s, "SELECT mailbox, password, fullname FROM voicemail ORDER BY mailbox", "100|9|Ann", "101|2|Bob")
	execute(t, s, "UPDATE queue_rules SET raise_penalty = '' WHERE time = '30'")
	loadRows(t, s, "queue_rules", []string{"rule_name", "time", "min_penalty", "max_penalty", "raise_penalty"}, []string{"r", "30", "0", "5", ""})
	expect(t, s, "SELECT count(*) FROM queue_rules", "2")
	for range 2 { // a log takes every row
		loadRows(t, s, "queue_log", []string{"event"}, []string{"CONNECT"})
	}
	expect(t, s, "SELECT count(*) FROM queue_log", "2")
}

func TestALoadOfATableWithoutKeyCanRunAgain(t *testing.T) {
	path := t.TempDir() + "/asterism.db"
	raw := rawSQLite(t, path)
	if _, err := raw.Exec("CREATE TABLE speeddial (owner TEXT, number TEXT)"); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	s := initialise(t, path, Options{Extra: []string{"speeddial"}})
	for range 2 {
		loadRows(t, s, "speeddial", []string{"owner", "number"}, []string{"a", "1"}, []string{"a", "2"}, []string{"a", "1"})
	}
	expect(t, s, "SELECT owner, number FROM speeddial", "a|1", "a|2")
	expect(t, s, "SELECT DISTINCT row_key FROM asterism_changes WHERE family = 'speeddial'", "[]")
	expectAll(t, s, "speeddial", "owner=a number=1", "owner=a number=2")
}

func loadIsAllOrNothing(t *testing.T, s *Store) {
	execute(t, s, `CREATE TRIGGER picky BEFORE INSERT ON ps_aors WHEN NEW.id = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END`)
	rows := [][]string{{"a"}, {"b"}}
	for range statementRows {
		rows = append(rows, []string{"c"})
	}
	rows = append(rows, []string{"bad"})
	err := s.Load(t.Context(), familyOf(t, s, "ps_aors"), []string{"id"}, rows)
	if failure.KindOf(err) != failure.Refused {
		t.Errorf("%v", err)
	}
	expectAll(t, s, "ps_aors")
}
