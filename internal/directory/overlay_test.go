package directory

import (
	"slices"
	"strings"
	"testing"

	"asterism/internal/family"
)

func TestOverlaysLieOverWhatSQLSays(t *testing.T) {
	d := New(standard(t, "sippeers"), nil)
	key := []string{"100"}
	base := func(pairs ...string) {
		t.Helper()
		d.Publish("sippeers", []Bucket{{Key: key, Rows: []Row{rowOf(t, d, "sippeers", append([]string{"name=100"}, pairs...)...)}}})
	}
	expect := func(want ...string) {
		t.Helper()
		if got := find(d, "sippeers", "name = 100"); !slices.Equal(got, append([]string{}, want...)) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	base("secret=old")
	d.Lay([]Write{{ID: 1, Family: "sippeers", Key: key, Kind: Change, Values: []Value{{"ipaddr", []string{"192.0.2.1"}}, {"username", []string{"u"}}}}})
	expect("name=100&ipaddr=192.0.2.1&secret=old&username=u")
	base("secret=new", "ipaddr=192.0.2.9") // an operator's edit meanwhile
	expect("name=100&ipaddr=192.0.2.1&secret=new&username=u")
	d.Lift("sippeers", [][]string{key}, 0) // an older flush ends nothing
	expect("name=100&ipaddr=192.0.2.1&secret=new&username=u")
	base("secret=new", "ipaddr=192.0.2.1")
	d.Lift("sippeers", [][]string{key}, 1)
	expect("name=100&ipaddr=192.0.2.1&secret=new")

	d.Lay([]Write{{ID: 2, Family: "sippeers", Key: key, Kind: Delete}})
	expect()
	base("secret=late") // SQL still has the row: the tombstone holds
	expect()
	d.Lay([]Write{{ID: 3, Family: "sippeers", Key: key, Kind: Put, Values: []Value{{"name", key}, {"port", []string{"5060"}}}}})
	expect("name=100&port=5060")
	base()
	d.Lift("sippeers", [][]string{key}, 3)
	expect("name=100")
	if d.Overlaid() != 0 {
		t.Error("an overlay is left")
	}
}

func TestARebuildLosesNothingThatWasPublishedMeanwhile(t *testing.T) {
	d := New(standard(t, "ps_contacts"), nil)
	f, _ := family.Standard().Family("ps_contacts")
	put := func(id, uri string) {
		d.Publish("ps_contacts", []Bucket{{Key: []string{id}, Rows: []Row{rowOf(t, d, "ps_contacts", "id="+id, "uri="+uri)}}})
	}
	put("a", "old")
	put("gone", "old")
	rebuild := d.Begin(f)
	columns := rebuild.Columns([]string{"later"})
	b := NewBuilder(columns)
	for _, id := range []string{"a", "b"} {
		b.Add(columns.exact["id"], id)
		b.Add(columns.exact["uri"], "read")
		b.Add(columns.exact["later"], "x")
		rebuild.Add(b.Row())
	}
	put("a", "fresh") // after the read
	d.Lay([]Write{{ID: 1, Family: "ps_contacts", Key: []string{"c"}, Kind: Put, Values: []Value{{"id", []string{"c"}}, {"flag", []string{"1"}}}}})
	rebuild.Commit()
	want := []string{"id=c&flag=1", "id=b&uri=read&later=x", "id=a&uri=fresh"}
	if got := find(d, "ps_contacts", "id LIKE %"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	again := d.Begin(f)
	for _, id := range []string{"a", "b"} {
		nb := NewBuilder(again.Columns(nil))
		nb.Add(0, id)
		again.Add(nb.Row())
	}
	if mended := again.Commit(); mended == 0 {
		t.Error("a rebuild with other rows mended nothing")
	}
}

func TestExpiredContactsAreHidden(t *testing.T) {
	d := New(standard(t, "ps_contacts"), nil)
	for id, at := range map[string]string{"a": "100", "b": "200", "c": "9"} {
		d.Publish("ps_contacts", []Bucket{{Key: []string{id}, Rows: []Row{rowOf(t, d, "ps_contacts", "id="+id, "expiration_time="+at)}}})
	}
	f := func(now int64, want int, pairs ...string) {
		t.Helper()
		got := d.View().Table([]byte("ps_contacts")).Find(Query{Conditions: conditionsOf(pairs...), Now: now}, func(Row) bool { return true })
		if got.Rows != want {
			t.Errorf("%v at %d: %d rows, want %d", pairs, now, got.Rows, want)
		}
	}
	f(150, 1, "id LIKE %")
	f(150, 0, "id = a")
	f(150, 2, "expiration_time <= 150")
	f(50, 2, "expiration_time >= 0", "id LIKE %")
	if got := d.View().Table([]byte("ps_contacts")).Digest(150).Rows; got != 1 {
		t.Errorf("digest counts %d rows", got)
	}
}

func TestOfTwoRebuildsTheOneThatBeganLaterWins(t *testing.T) {
	d := New(standard(t, "ps_aors"), nil)
	f, _ := family.Standard().Family("ps_aors")
	read := func(r *Rebuild, contact string) {
		b := NewBuilder(r.Columns(nil))
		b.Add(r.table.columns.exact["id"], "a")
		b.Add(r.table.columns.exact["contact"], contact)
		r.Add(b.Row())
	}
	expect := func(want string) {
		t.Helper()
		if got := find(d, "ps_aors", "id = a"); !slices.Equal(got, []string{"id=a&contact=" + want}) {
			t.Errorf("%q, want contact %s", got, want)
		}
	}
	older, newer := d.Begin(f), d.Begin(f)
	read(older, "old")
	read(newer, "new")
	older.Commit()
	expect("old")
	newer.Commit()
	expect("new")
	older, newer = d.Begin(f), d.Begin(f)
	read(older, "new")
	read(newer, "newest")
	newer.Commit()
	expect("newest")
	older.Commit()
	expect("newest")
}

func TestARebuildUnderAnOverlayTakesWhatSQLSaysNow(t *testing.T) {
	d := New(standard(t, "sippeers"), nil)
	f, _ := family.Standard().Family("sippeers")
	key := []string{"100"}
	d.Publish("sippeers", []Bucket{{Key: key, Rows: []Row{rowOf(t, d, "sippeers", "name=100", "secret=old")}}})
	r := d.Begin(f)
	b := NewBuilder(r.Columns(nil))
	b.Add(r.table.columns.exact["name"], "100")
	b.Add(r.table.columns.exact["secret"], "new")
	r.Add(b.Row())
	d.Lay([]Write{{ID: 1, Family: "sippeers", Key: key, Kind: Change, Values: []Value{{"ipaddr", []string{"192.0.2.1"}}}}})
	if mended := r.Commit(); mended != 0 {
		t.Errorf("a bucket with unflushed writes counts as %d mended rows", mended)
	}
	if got, want := find(d, "sippeers", "name = 100"), []string{"name=100&ipaddr=192.0.2.1&secret=new"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTheOrderInWhichExtraColumnsCameDoesNotChangeTheDigest(t *testing.T) {
	digest := func(pairs ...string) Digest {
		d := New(standard(t, "ps_aors"), nil)
		for _, pair := range pairs {
			name, _, _ := strings.Cut(pair, "=")
			d.EnsureColumns("ps_aors", []string{name})
		}
		d.Publish("ps_aors", []Bucket{{Key: []string{"a"}, Rows: []Row{rowOf(t, d, "ps_aors", append([]string{"id=a"}, pairs...)...)}}})
		return d.View().Table([]byte("ps_aors")).Digest(0)
	}
	if x, y := digest("one=1", "two=2"), digest("two=2", "one=1"); x != y {
		t.Errorf("%v and %v", x, y)
	}
	if x, y := digest("one=1", "one=2"), digest("one=2", "one=1"); x == y {
		t.Errorf("the order of one column's values does not count: %v", x)
	}
	if x, y := digest("one=1", "two=2"), digest("one=2", "two=1"); x == y {
		t.Errorf("values may change places: %v", x)
	}
}
