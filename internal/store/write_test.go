package store

import (
	"errors"
	"slices"
	"testing"

	"asterism/internal/failure"
)

func updateCountsMatchedRows(t *testing.T, s *Store) {
	put(t, s, "ps_aors", "id=a", "max_contacts=1")
	put(t, s, "ps_aors", "id=b", "max_contacts=1")
	f := func(want int, words, pair string) {
		t.Helper()
		if _, matched, err := update(t, s, "ps_aors", conditionsOf(t, words), pair); matched != want || err != nil {
			t.Errorf("%s, %s: %d rows matched, want %d (%v)", words, pair, matched, want, err)
		}
	}
	f(1, "id = a", "max_contacts=2")
	f(1, "id = a", "max_contacts=2")
	f(1, "id = a", "id=a")
	f(2, "id LIKE %", "qualify_frequency=60")
	f(2, "qualify_frequency = 60", "qualify_frequency=60")
	f(0, "id = c", "max_contacts=3")
	f(1, "id = a", "novel=1")
	f(1, "id = a", "novel=1")
	expectAll(t, s, "ps_aors", "id=a max_contacts=2 qualify_frequency=60 +novel=1", "id=b max_contacts=1 qualify_frequency=60")
	err := s.Write(t.Context(), "delete", func(w *Writer) error {
		keys, err := w.Delete(t.Context(), familyOf(t, s, "ps_aors"), conditionsOf(t, "qualify_frequency = 60"))
		if len(keys) != 2 {
			t.Errorf("%q deleted", keys)
		}
		return err
	})
	if err != nil || len(all(t, s, "ps_aors")) != 0 {
		t.Errorf("%v, %q left", err, all(t, s, "ps_aors"))
	}
}

func updateTellsTheKeysToReadAgain(t *testing.T, s *Store) {
	put(t, s, "extensions", "context=default", "exten=100", "priority=1", "app=Dial", "appdata=")
	f := func(words string, pairs []string, want ...string) {
		t.Helper()
		keys, _, err := update(t, s, "extensions", conditionsOf(t, words), pairs...)
		if !slices.Equal(keys, want) || err != nil {
			t.Errorf("%s, %q: keys %q, want %q (%v)", words, pairs, keys, want, err)
		}
	}
	f("exten = 100", []string{"app=Hangup"}, "default,100,1")
	f("exten = 100", []string{"priority=01"}, "default,100,1") // the same number
	f("exten = 100", []string{"priority=002"}, "default,100,1", "default,100,2")
	f("priority = 2", []string{"exten=200", "priority=3"}, "default,100,2", "default,200,3")
	expectAll(t, s, "extensions", "id=1 context=default exten=200 priority=3 app=Hangup")
}

func unknownColumnInAConditionChangesNothing(t *testing.T, s *Store) {
	put(t, s, "ps_aors", "id=a", "max_contacts=1")
	_, _, err := update(t, s, "ps_aors", conditionsOf(t, "id = a", "nosuch = 1"), "max_contacts=2")
	var e *failure.Error
	if !errors.As(err, &e) || e.Kind != failure.Unknown || e.Field != "nosuch" {
		t.Errorf("update: %v", err)
	}
	for name, words := range map[string][]string{"unknown": {"nosuch LIKE %"}, "none": {}} {
		err := s.Write(t.Context(), "delete", func(w *Writer) error {
			_, err := w.Delete(t.Context(), familyOf(t, s, "ps_aors"), conditionsOf(t, words...))
			return err
		})
		if err == nil {
			t.Errorf("%s: deleted", name)
		}
	}
	expectAll(t, s, "ps_aors", "id=a max_contacts=1")
}

// emptyTextsAreNullWhereNoTextIs: an empty value is NULL in nullable columns of
// numbers, times and choices, as Asterisk's SQL drivers write it; in columns of
// text, and in required ones, it is the empty text.
func emptyTextsAreNullWhereNoTextIs(t *testing.T, s *Store) {
	put(t, s, "ps_aors", "id=a", "contact=", "max_contacts=", "qualify_timeout=", "remove_existing=")
	expect(t, s, "SELECT id, contact, max_contacts, qualify_timeout, remove_existing, mailboxes FROM ps_aors", "a||NULL|NULL|NULL|NULL")
	put(t, s, "extensions", "context=", "exten=1", "priority=1", "app=", "appdata=")
	expect(t, s, "SELECT context, app, appdata FROM extensions", "||")
	put(t, s, "sippeers", "id=", "name=100", "port=", "secret=") // numbered by the database
	expect(t, s, "SELECT id, name, port, secret FROM sippeers", "1|100|NULL|")
	if _, _, err := update(t, s, "sippeers", conditionsOf(t, "name = 100"), "port=5060", "secret=x"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := update(t, s, "sippeers", conditionsOf(t, "name = 100"), "port=", "secret="); err != nil {
		t.Fatal(err)
	}
	expect(t, s, "SELECT port, secret FROM sippeers", "NULL|")
}

func putKeepsOtherColumns(t *testing.T, s *Store) {
	put(t, s, "sippeers", "name=100", "secret=s", "host=dynamic", "novel=1")
	put(t, s, "sippeers", "name=100", "host=192.0.2.1")
	put(t, s, "sippeers", "name=100")
	put(t, s, "sippeers", "name=100", "other=2")
	expectAll(t, s, "sippeers", "id=1 name=100 host=192.0.2.1 secret=s +novel=1 +other=2")
	put(t, s, "numbers", "number=1", "codecs=ulaw") // the shared tenant, unsaid
	put(t, s, "numbers", "tenant=", "number=1", "codecs=alaw")
	expectAll(t, s, "numbers", "number=1 codecs=alaw")
	err := s.Write(t.Context(), "put", func(w *Writer) error {
		_, err := w.Put(t.Context(), familyOf(t, s, "ps_aors"), textsOf("max_contacts=1"))
		return err
	})
	if failure.KindOf(err) != failure.Refused {
		t.Errorf("a row without its key: %v", err)
	}
}

func aTransactionThatFailsLeavesNothing(t *testing.T, s *Store) {
	broken := errors.New("broken")
	got := logged(t, s, func() {
		err := s.Write(t.Context(), "try", func(w *Writer) error {
			if _, err := w.Put(t.Context(), familyOf(t, s, "ps_aors"), textsOf("id=a", "novel=1")); err != nil {
				return err
			}
			return broken
		})
		if !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	})
	if len(got) != 0 || len(all(t, s, "ps_aors")) != 0 {
		t.Errorf("left: %q, log %q", all(t, s, "ps_aors"), got)
	}
}
