package store

import (
	"slices"
	"testing"
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
	put(t, s, "ps_aors", "id=b")
	execute(t, s, "DELETE FROM ps_aors WHERE id = 'a'")
	var into collector
	if err := reader.All(t.Context(), familyOf(t, s, "ps_aors"), &into); err != nil {
		t.Fatal(err)
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
	f("voicemail", [][]string{{"a", "1"}}, 2)
	f("voicemail", [][]string{{"", "1"}, {"a", "2"}}, 1)
	f("extensions", [][]string{{"c", "1", "7"}}, 1)
	f("extensions", [][]string{{"c", "1", "07"}}, 1)
}
