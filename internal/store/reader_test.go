package store

import (
	"slices"
	"testing"

	"asterism/internal/family"
)

func readerSeesOneMoment(t *testing.T, s *Store) {
	put(t, s, "ps_aors", "id=a", "novel=1")
	reader, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	first, _, err := reader.Position(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	scan, err := s.Scan()
	if err != nil {
		t.Fatal(err)
	}
	defer scan.Close()
	if same, err := scan.Position(t.Context()); err != nil || same != first {
		t.Fatalf("the scan is at %d, the reader at %d, %v", same, first, err)
	}
	put(t, s, "ps_aors", "id=b")
	execute(t, s, "DELETE FROM ps_aors WHERE id = 'a'")
	var into, whole collector
	if err := reader.Buckets(t.Context(), familyOf(t, s, "ps_aors"), [][]string{{"a"}, {"b"}}, &into); err != nil {
		t.Fatal(err)
	}
	if err := scan.All(t.Context(), familyOf(t, s, "ps_aors"), &whole); err != nil || !slices.Equal(whole.rows, into.rows) {
		t.Errorf("the scan shows %q, %v", whole.rows, err)
	}
	if want := []string{"id=a +novel=1"}; !slices.Equal(into.rows, want) {
		t.Errorf("%q, want %q", into.rows, want)
	}
	if changes, err := reader.Changes(t.Context(), first, 100); len(changes) != 0 || err != nil {
		t.Errorf("%v, %v", changes, err)
	}
	expectAll(t, s, "ps_aors", "id=b")
}

func bucketsAreReadByTheirKeys(t *testing.T, s *Store) {
	addAORs(t, s, 0, 2*keysAtOnce+50)
	put(t, s, "voicemail", "context=a", "mailbox=1", "password=x")
	put(t, s, "voicemail", "context=a", "mailbox=1", "password=y")
	put(t, s, "voicemail", "context=", "mailbox=1", "password=z")
	put(t, s, "extensions", "context=c", "exten=1", "priority=7", "app=NoOp", "appdata=", "novel=1")
	f := func(name string, keys [][]string, want int) {
		t.Helper()
		reader, err := s.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		var into collector
		if err := reader.Buckets(t.Context(), familyOf(t, s, name), keys, &into); err != nil || len(into.rows) != want {
			t.Errorf("%s %q: %d rows, want %d: %q (%v)", name, keys, len(into.rows), want, into.rows, err)
		}
	}
	var keys [][]string
	for i := range 2*keysAtOnce + 10 {
		keys = append(keys, []string{numbered(i)}, []string{"none" + numbered(i)})
	}
	f("ps_aors", keys, 2*keysAtOnce+10)
	f("ps_aors", nil, 0)
	execute(t, s, "INSERT INTO ps_aors (id) VALUES ('')")
	f("ps_aors", [][]string{{numbered(0)}, {""}, {numbered(1)}}, 3)
	f("voicemail", [][]string{{"a", "1"}}, 2)
	f("voicemail", [][]string{{"", "1"}, {"a", "2"}}, 1)
	f("extensions", [][]string{{"c", "1", "7"}}, 1)
	f("extensions", [][]string{{"c", "1", "07"}}, 1)
}

// aScanReadsEveryColumn has rows whose values stand in other columns each time, so
// that the scan must widen, in the middle and at the end; every value must come.
func aScanReadsEveryColumn(t *testing.T, s *Store) {
	f := familyOf(t, s, "ps_endpoints")
	var want []string
	for i, c := range f.Columns {
		id := numbered(i)
		pairs := []string{"id=" + id}
		shown := "id=" + id
		if c.Name != "id" && c.Kind == family.Text {
			pairs, shown = append(pairs, c.Name+"=x"), shown+" "+c.Name+"=x"
		}
		put(t, s, "ps_endpoints", pairs...)
		want = append(want, shown)
	}
	expectAll(t, s, "ps_endpoints", want...)
}
