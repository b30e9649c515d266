package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asterism/internal/directory"
)

// written makes a write of Asterisk: "column=value" pairs, "," between values.
func written(id int64, kind directory.WriteKind, family, key string, pairs ...string) directory.Write {
	w := directory.Write{ID: id, Family: family, Kind: kind}
	if kind != directory.Append {
		w.Key = strings.Split(key, ",")
	}
	for _, pair := range pairs {
		column, text, _ := strings.Cut(pair, "=")
		v := directory.Value{Column: column}
		if text != "" {
			v.Values = strings.Split(text, ",")
		}
		w.Values = append(w.Values, v)
	}
	return w
}

// flush flushes writes and gives what was set aside, as "id family".
func flush(t *testing.T, s *Store, position int64, writes ...directory.Write) (aside []string) {
	t.Helper()
	err := s.Flush(t.Context(), Flush{Spool: "life", Writes: writes, Position: position, SetAside: func(refused []Refusal) {
		for _, r := range refused {
			aside = append(aside, fmt.Sprint(r.Write.ID, " ", r.Write.Family))
			if r.Err == nil {
				t.Error("refused without a reason")
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return aside
}

func flushNotesItsPosition(t *testing.T, s *Store) {
	if position, err := s.Flushed(t.Context(), "life"); position != 0 || err != nil {
		t.Errorf("before the first flush: %d, %v", position, err)
	}
	flush(t, s, 4, written(3, directory.Append, "queue_log", "", "event=ENTERQUEUE", "data1=x", "nosuch=1"), written(4, directory.Append, "queue_log", "", "event=CONNECT"))
	expect(t, s, "SELECT id, event, data1 FROM queue_log ORDER BY id", "1|ENTERQUEUE|x", "2|CONNECT|NULL")
	f := func(spool string, want int64) {
		t.Helper()
		if got, err := s.Flushed(t.Context(), spool); got != want || err != nil {
			t.Errorf("position of %s: %d, want %d (%v)", spool, got, want, err)
		}
	}
	f("life", 4)
	f("another", 0)
	flush(t, s, 9)
	f("life", 9)
	execute(t, s, "CREATE TRIGGER broken BEFORE UPDATE ON asterism_meta BEGIN SELECT RAISE(ABORT, 'no position'); END")
	err := s.Flush(t.Context(), Flush{
		Spool: "life", Position: 10, SetAside: func([]Refusal) {},
		Writes: []directory.Write{written(10, directory.Append, "queue_log", "", "event=LOST")},
	})
	if err == nil {
		t.Error("a flush without its position succeeds")
	}
	f("life", 9)
	expect(t, s, "SELECT count(*) FROM queue_log", "2")
}

func flushSetsRefusedWritesAside(t *testing.T, s *Store) {
	execute(t, s, `CREATE TRIGGER picky BEFORE INSERT ON ps_contacts WHEN NEW.uri = 'bad' BEGIN SELECT RAISE(ABORT, 'bad uri'); END`)
	execute(t, s, `CREATE UNIQUE INDEX one_endpoint ON ps_contacts (endpoint)`)
	aside := flush(t, s, 6,
		written(1, directory.Put, "ps_contacts", "a", "id=a", "uri=sip:a"),
		written(2, directory.Put, "ps_contacts", "b", "id=b", "uri=bad"),               // a trigger's RAISE
		written(3, directory.Put, "ps_contacts", "c", "id=c", "endpoint=e", "novel=1"), // good, with an extra
		written(4, directory.Put, "ps_contacts", "d", "id=d", "endpoint=e"),            // UNIQUE
		written(5, directory.Put, "voicemail_data", "", "origmailbox=100"),             // NOT NULL
		written(6, directory.Append, "queue_log", "", "event=CONNECT"))
	if want := []string{"2 ps_contacts", "4 ps_contacts", "5 voicemail_data"}; !slices.Equal(aside, want) {
		t.Errorf("set aside %q, want %q", aside, want)
	}
	expectAll(t, s, "ps_contacts", "id=a uri=sip:a", "id=c endpoint=e +novel=1")
	expect(t, s, "SELECT event FROM queue_log", "CONNECT")
	if position, err := s.Flushed(t.Context(), "life"); position != 6 || err != nil {
		t.Errorf("position %d, %v", position, err)
	}
	// What is refused half way through leaves nothing of itself.
	execute(t, s, `CREATE TRIGGER no_extras BEFORE INSERT ON asterism_extra WHEN NEW.col = 'bad' BEGIN SELECT RAISE(ABORT, 'bad extra'); END`)
	if aside := flush(t, s, 8, written(7, directory.Put, "ps_contacts", "e", "id=e", "bad=1"), written(8, directory.Delete, "ps_contacts", "a")); !slices.Equal(aside, []string{"7 ps_contacts"}) {
		t.Errorf("set aside %q", aside)
	}
	expectAll(t, s, "ps_contacts", "id=c endpoint=e +novel=1")
}

func flushOfAFamilyThatIsGoneIsRefused(t *testing.T, s *Store) {
	execute(t, s, "DROP TABLE sipregs")
	f := func(position int64) {
		t.Helper()
		aside := flush(t, s, position, written(position-1, directory.Put, "sipregs", "100", "name=100", "port=5060"),
			written(position, directory.Put, "ps_contacts", "a", "id=a"))
		if want := []string{fmt.Sprint(position-1, " sipregs")}; !slices.Equal(aside, want) {
			t.Errorf("set aside %q, want %q", aside, want)
		}
	}
	f(2) // the store does not know yet
	if err := s.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	f(4)
	expectAll(t, s, "ps_contacts", "id=a")
}

func flushChangesOnlyWhatWasWritten(t *testing.T, s *Store) {
	put(t, s, "sippeers", "name=100", "secret=old", "host=dynamic")
	flush(t, s, 1, written(1, directory.Change, "sippeers", "100", "ipaddr=192.0.2.1", "port=5060", "username=u"))
	expectAll(t, s, "sippeers", "id=1 name=100 ipaddr=192.0.2.1 port=5060 host=dynamic secret=old +username=u")
	execute(t, s, "UPDATE sippeers SET secret = 'new'")
	flush(t, s, 2, written(2, directory.Change, "sippeers", "100", "ipaddr=", "port="))
	expectAll(t, s, "sippeers", "id=1 name=100 host=dynamic secret=new +username=u")
	flush(t, s, 3, written(3, directory.Change, "sippeers", "none", "port=1"))
	expectAll(t, s, "sippeers", "id=1 name=100 host=dynamic secret=new +username=u")
	flush(t, s, 6, written(4, directory.Put, "ps_contacts", "6001;@x", "id=6001;@x", "path=<sip:a;lr>,b^c"),
		written(5, directory.Change, "ps_contacts", "6001;@x", "uri=sip:6001@203.0.113.7;transport=tcp"))
	expect(t, s, "SELECT id, uri, path FROM ps_contacts", "6001^3B@x|sip:6001@203.0.113.7^3Btransport=tcp|<sip:a^3Blr>;b^5Ec")
	flush(t, s, 7, written(7, directory.Delete, "ps_contacts", "6001;@x"))
	expectAll(t, s, "ps_contacts")
}
