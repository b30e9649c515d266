package store

import (
	"slices"
	"testing"
)

func extrasAreKept(t *testing.T, s *Store) {
	put(t, s, "ps_aors", "id=a", "max_contacts=1", "novel=x^3By;z", "other=1")
	expectAll(t, s, "ps_aors", "id=a max_contacts=1 +novel=x^3By;z +other=1")
	expect(t, s, "SELECT family, row_key, col, value FROM asterism_extra ORDER BY col", `ps_aors|["a"]|novel|x^3By;z`, `ps_aors|["a"]|other|1`)
	put(t, s, "ps_aors", "id=a", "novel=new", "other=") // empty takes it away
	expectAll(t, s, "ps_aors", "id=a max_contacts=1 +novel=new")
	if _, matched, err := update(t, s, "ps_aors", conditionsOf(t, "novel = new"), "novel=newer"); matched != 1 || err != nil {
		t.Errorf("a condition on an extra column matches %d rows, %v", matched, err)
	}
	expectAll(t, s, "ps_aors", "id=a max_contacts=1 +novel=newer")
	got := logged(t, s, func() { execute(t, s, "UPDATE asterism_extra SET value = 'sql'") })
	if want := []string{`ps_aors ["a"]`}; !slices.Equal(got, want) {
		t.Errorf("a change of an extra value is logged as %q, want %q", got, want)
	}
	expectAll(t, s, "ps_aors", "id=a max_contacts=1 +novel=sql")
	expect(t, s, "SELECT count(*) FROM pragma_table_info('ps_aors') WHERE name = 'novel'", "0")
}

func extrasGoWithTheirRow(t *testing.T, s *Store) {
	put(t, s, "ps_aors", "id=a", "novel=1")
	put(t, s, "ps_aors", "id=b", "novel=2")
	execute(t, s, "DELETE FROM ps_aors WHERE id = 'a'")
	expect(t, s, "SELECT row_key FROM asterism_extra", `["b"]`)
	execute(t, s, "INSERT INTO ps_aors (id) VALUES ('a')")
	expectAll(t, s, "ps_aors", "id=a", "id=b +novel=2")
}

func extrasMoveWithTheirRow(t *testing.T, s *Store) {
	put(t, s, "ps_aors", "id=a", "novel=1")
	execute(t, s, "UPDATE ps_aors SET id = 'b'")
	expectAll(t, s, "ps_aors", "id=b +novel=1")
	keys, matched, err := update(t, s, "ps_aors", conditionsOf(t, "id = b"), "id=c", "novel=2", "more=3")
	if !slices.Equal(keys, []string{"b", "c"}) || matched != 1 || err != nil {
		t.Errorf("keys %q, %d matched, %v", keys, matched, err)
	}
	expectAll(t, s, "ps_aors", "id=c +more=3 +novel=2")
	expect(t, s, "SELECT DISTINCT row_key FROM asterism_extra", `["c"]`)
	put(t, s, "extensions", "context=x", "exten=1", "priority=1", "app=NoOp", "appdata=", "novel=1")
	if _, _, err := update(t, s, "extensions", conditionsOf(t, "exten = 1"), "priority=02", "novel=2"); err != nil {
		t.Fatal(err)
	}
	expect(t, s, "SELECT row_key, value FROM asterism_extra WHERE family = 'extensions'", `["x","1","2"]|2`)
}

func extrasStayWhileTheirBucketHasARow(t *testing.T, s *Store) {
	for _, name := range []string{"Ann", "Bob", "Cid"} {
		put(t, s, "voicemail", "context=default", "mailbox=100", "password=1", "fullname="+name, "novel="+name)
	}
	expect(t, s, "SELECT count(*) FROM voicemail", "3")
	execute(t, s, "DELETE FROM voicemail WHERE fullname = 'Ann'")
	expect(t, s, "SELECT row_key, value FROM asterism_extra", `["default","100"]|Cid`)
	execute(t, s, "UPDATE voicemail SET mailbox = '200' WHERE fullname = 'Bob'")
	expect(t, s, "SELECT row_key, value FROM asterism_extra ORDER BY row_key", `["default","100"]|Cid`, `["default","200"]|Cid`)
	execute(t, s, "DELETE FROM voicemail WHERE fullname = 'Cid'")
	expect(t, s, "SELECT row_key, value FROM asterism_extra", `["default","200"]|Cid`)
}

func reservedColumnNamesWork(t *testing.T, s *Store) {
	put(t, s, "ps_endpoints", "id=a", "100rel=yes", "from=trunk", "order=1")
	put(t, s, "ps_endpoint_id_ips", "id=a", "match=192.0.2.1;192.0.2.2")
	expectAll(t, s, "ps_endpoints", "id=a 100rel=yes +from=trunk +order=1")
	f := func(family string, words string, pairs ...string) {
		t.Helper()
		if _, matched, err := update(t, s, family, conditionsOf(t, words), pairs...); matched != 1 || err != nil {
			t.Errorf("%s: %d rows matched, %v", words, matched, err)
		}
	}
	f("ps_endpoints", "100rel = yes", "100rel=no", "order=2")
	f("ps_endpoints", "order = 2", "from=other")
	f("ps_endpoint_id_ips", "match = 192.0.2.1;192.0.2.2", "match=192.0.2.3")
	expectAll(t, s, "ps_endpoints", "id=a 100rel=no +from=other +order=2")
	expectAll(t, s, "ps_endpoint_id_ips", "id=a match=192.0.2.3")
	execute(t, s, `ALTER TABLE ps_aors ADD COLUMN "order" TEXT`)
	execute(t, s, `ALTER TABLE ps_aors ADD COLUMN "from" TEXT`)
	if err := s.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, s, "ps_aors", "id=a", "order=1", "from=2")
	f("ps_aors", "from = 2", "order=3")
	expectAll(t, s, "ps_aors", "id=a order=3 from=2")
}
