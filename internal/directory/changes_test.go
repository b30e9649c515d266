package directory

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asterism/internal/family"
)

// told gives what changed after a revision, one word for each change.
func told(t testing.TB, d *Directory, since uint64, names ...string) []string {
	t.Helper()
	view := d.View()
	var places []int
	for _, name := range names {
		places = append(places, view.Place([]byte(name)))
	}
	if !view.Remembers(since, places) {
		return []string{"forgotten"}
	}
	out := []string{}
	for _, c := range view.Changes(since, places, 1000) {
		out = append(out, strings.Join(append([]string{view.Tables()[c.Place].Family().Name}, c.Key...), " "))
	}
	return out
}

func TestEveryChangeIsTold(t *testing.T) {
	d := New(standard(t, "ps_aors", "sippeers", "queue_log"), nil)
	f := func(what string, do func(), want ...string) {
		t.Helper()
		since := d.View().Revision()
		do()
		if got := told(t, d, since); !slices.Equal(got, want) {
			t.Errorf("%s: told %q, want %q", what, got, want)
		}
		if moved := d.View().Revision() > since; moved != (len(want) > 0) {
			t.Errorf("%s: another revision: %v", what, moved)
		}
	}
	ann := func(secret string) func() {
		return func() { put(t, d, "sippeers", "name=ann", "secret="+secret) }
	}
	lay := func(id int64, kind WriteKind, column, value string) func() {
		return func() {
			d.Lay([]Write{{ID: id, Family: "sippeers", Key: []string{"ann"}, Kind: kind, Values: []Value{{column, []string{value}}}}})
		}
	}
	f("a new row", ann("a"), "sippeers ann")
	f("the same row again", ann("a"))
	f("another value", ann("b"), "sippeers ann")
	f("a key that is decoded", func() { put(t, d, "ps_aors", "id=x^3By") }, "ps_aors x;y")
	f("another key for a row", func() {
		d.Publish("sippeers", []Bucket{{Key: []string{"ann"}}, {Key: []string{"bob"}, Rows: []Row{rowOf(t, d, "sippeers", "name=bob")}}})
	}, "sippeers ann", "sippeers bob")
	f("a key that has no row", func() { d.Publish("sippeers", []Bucket{{Key: []string{"nobody"}}}) })
	f("columns that come", func() { d.EnsureColumns("sippeers", []string{"newer"}) })
	f("a row before a write", ann("a"), "sippeers ann")
	f("a write of Asterisk", lay(1, Change, "ipaddr", "192.0.2.1"), "sippeers ann")
	f("the same write again", lay(2, Change, "ipaddr", "192.0.2.1"))
	f("its end, read back", func() {
		put(t, d, "sippeers", "name=ann", "secret=a", "ipaddr=192.0.2.1")
		d.Lift("sippeers", [][]string{{"ann"}}, 2)
	})
	f("a write to be undone", lay(3, Change, "ipaddr", "192.0.2.2"), "sippeers ann")
	f("its end, not read back", func() { d.Lift("sippeers", [][]string{{"ann"}}, 3) }, "sippeers ann")
	f("a deletion", lay(4, Delete, "", ""), "sippeers ann")
	f("a row for those who only append", func() {
		d.Lay([]Write{{ID: 5, Family: "queue_log", Kind: Append, Values: []Value{{"event", []string{"ENTERQUEUE"}}}}})
	})
	f("writes to two families", func() {
		d.Lay([]Write{
			{ID: 6, Family: "sippeers", Key: []string{"ann"}, Kind: Put, Values: []Value{{"name", []string{"ann"}}}},
			{ID: 7, Family: "ps_aors", Key: []string{"y"}, Kind: Put, Values: []Value{{"id", []string{"y"}}}},
		})
	}, "sippeers ann", "ps_aors y")
	f("a key that is too long to be kept", func() { put(t, d, "sippeers", "name="+strings.Repeat("x", maxChangedKey)) }, "sippeers")
}

func TestARebuildIsAChangeOfAllOrOfNothing(t *testing.T) {
	d := New(standard(t, "ps_aors"), nil)
	f, _ := family.Standard().Family("ps_aors")
	rebuild := func(meanwhile func(), ids ...string) []string {
		t.Helper()
		since := d.View().Revision()
		r := d.Begin(f)
		for _, id := range ids {
			b := NewBuilder(r.Columns(nil))
			b.Add(r.table.columns.exact["id"], id)
			r.Add(b.Row())
		}
		meanwhile()
		r.Commit()
		return told(t, d, since)
	}
	nothing := func() {}
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: told %q, want %q", what, got, want)
		}
	}
	expect("the first reading", rebuild(nothing, "a", "b"), "ps_aors")
	expect("the same rows", rebuild(nothing, "b", "a"))
	expect("another row", rebuild(nothing, "a", "c"), "ps_aors")
	expect("a row twice", rebuild(nothing, "a", "a", "c"), "ps_aors")
	expect("a row less", rebuild(nothing, "a", "c"), "ps_aors")
	expect("a key meanwhile", rebuild(func() { put(t, d, "ps_aors", "id=b") }, "a", "c"), "ps_aors b")
	expect("a column more", rebuild(func() { d.EnsureColumns("ps_aors", []string{"newer"}) }, "a", "b", "c"), "ps_aors")
}

func TestAKeylessFamilyChangesAltogether(t *testing.T) {
	columns := []family.Column{{Name: "note"}}
	d := New([]*family.Family{family.New("notes", columns, nil)}, nil)
	d.Publish("notes", []Bucket{{Rows: []Row{rowOf(t, d, "notes", "note=x")}}})
	if got := told(t, d, 0); !slices.Equal(got, []string{"notes"}) {
		t.Errorf("told %q", got)
	}
}

func TestOnlyTheFamiliesAskedForAreTold(t *testing.T) {
	d := New(standard(t, "ps_aors", "ps_auths", "iaxfriends"), nil)
	for i := range 1002 {
		put(t, d, "ps_aors", fmt.Sprintf("id=%d", i%1001))
	}
	put(t, d, "ps_auths", "id=1")
	put(t, d, "iaxfriends", "name=x")
	f := func(since uint64, names []string, want ...string) {
		t.Helper()
		if got := told(t, d, since, names...); !slices.Equal(got, want) {
			t.Errorf("%v since %d: told %q, want %q", names, since, got, want)
		}
	}
	f(0, []string{"ps_auths"}, "ps_auths 1")
	f(0, []string{"ps_auths", "iaxpeers"}, "ps_auths 1", "iaxfriends x")
	f(0, []string{"ps_aors"}, "ps_aors") // more than a thousand keys
	f(0, nil, "ps_aors", "ps_auths 1", "iaxfriends x")
	f(d.View().Revision(), nil)
	f(1000, []string{"ps_aors"}, "ps_aors 1000")
	f(d.View().Revision()+1, nil, "forgotten")
}

// burst publishes changes of as many keys at once, without the rows.
func burst(d *Directory, name string, ids ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.table(name).forEdit()
	for _, id := range ids {
		d.note(t, keyText([]string{id}))
	}
	d.swap(t)
}

func TestTheWindowIsBounded(t *testing.T) {
	const atOnce = 128
	d := New(standard(t, "ps_aors", "ps_auths"), nil)
	put(t, d, "ps_auths", "id=1")
	ids := make([]string, atOnce)
	for i := range MaxChanges / atOnce {
		for j := range ids {
			ids[j] = fmt.Sprint(i*atOnce + j)
		}
		burst(d, "ps_aors", ids...)
	}
	f := func(since uint64, want int, names ...string) {
		t.Helper()
		got := told(t, d, since, names...)
		if forgotten := slices.Equal(got, []string{"forgotten"}); forgotten != (want < 0) || !forgotten && len(got) != want {
			t.Errorf("%v since %d: told %q, want %d", names, since, got, want)
		}
	}
	f(0, -1)
	f(0, -1, "ps_auths")
	f(1, -1, "ps_aors")
	f(1, 0, "ps_auths") // nothing of it was forgotten
	f(2, -1, "ps_aors") // half of it was
	f(3, 1, "ps_aors")
	f(d.View().Revision()-2, 2*atOnce, "ps_aors")
	if n := len(d.View().history.pages); n > MaxChanges/pageChanges {
		t.Errorf("%d pages", n)
	}
	long := strings.Repeat("x", maxChangedKey-64)
	for i := range MaxChangedBytes/maxChangedKey/pageChanges + 8 {
		for j := range ids {
			ids[j] = fmt.Sprint(long, i, j)
		}
		burst(d, "ps_aors", append(ids, ids...)...)
	}
	if h := &d.View().history; h.bytes > MaxChangedBytes+pageChanges*maxChangedKey {
		t.Errorf("%d bytes of keys are kept", h.bytes)
	}
}

// TestWhatDiffersIsTold: whatever happens, a bucket that differs between two views
// is among the changes from the one to the other.
func TestWhatDiffersIsTold(t *testing.T) {
	f, _ := family.Standard().Family("sippeers")
	names := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	values := rapid.SampledFrom([]string{"", "1", "2"})
	rapid.Check(t, func(rt *rapid.T) {
		d := New(standard(t, "sippeers"), nil)
		views := []*View{d.View()}
		var rebuild *Rebuild
		write := int64(0)
		row := func(name string) Row {
			return rowOf(t, d, "sippeers", "name="+name, "secret="+values.Draw(rt, "secret"), "ipaddr="+values.Draw(rt, "ipaddr"))
		}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			name := names.Draw(rt, "name")
			switch rapid.IntRange(0, 7).Draw(rt, "what") {
			case 0, 1:
				d.Publish("sippeers", []Bucket{{Key: []string{name}, Rows: []Row{row(name)}}})
			case 2:
				d.Publish("sippeers", []Bucket{{Key: []string{name}}})
			case 3, 4:
				write++
				kind := rapid.SampledFrom([]WriteKind{Put, Change, Delete}).Draw(rt, "kind")
				d.Lay([]Write{{ID: write, Family: "sippeers", Key: []string{name}, Kind: kind, Values: []Value{
					{"name", []string{name}}, {rapid.SampledFrom([]string{"ipaddr", "newer"}).Draw(rt, "column"), []string{values.Draw(rt, "value")}},
				}}})
			case 5:
				d.Lift("sippeers", [][]string{{name}}, write)
			case 6:
				rebuild = d.Begin(f)
				for range rapid.IntRange(0, 4).Draw(rt, "rows") {
					b := NewBuilder(rebuild.Columns(nil))
					b.Add(rebuild.table.columns.exact["name"], names.Draw(rt, "row"))
					b.Add(rebuild.table.columns.exact["secret"], values.Draw(rt, "secret"))
					rebuild.Add(b.Row())
				}
			case 7:
				if rebuild != nil {
					rebuild.Commit()
					rebuild = nil
				}
			}
			views = append(views, d.View())
		}
		now := d.View()
		for _, then := range views {
			changes := now.Changes(then.Revision(), nil, 1000)
			for _, name := range []string{"a", "b", "c", "d"} {
				isTold := slices.ContainsFunc(changes, func(c Touched) bool { return c.Key == nil || c.Key[0] == name })
				if before, after := seen(then, name), seen(now, name); !isTold && !slices.Equal(before, after) {
					rt.Fatalf("%s was %q at revision %d and is %q at %d; told %v", name, before, then.Revision(), after, now.Revision(), changes)
				}
			}
		}
	})
}

// seen is what readers see of a peer: its rows in curl form, sorted.
func seen(v *View, name string) []string {
	var out []string
	for _, r := range v.Table([]byte("sippeers")).Bucket([]string{name}) {
		out = append(out, r.Curl())
	}
	slices.Sort(out)
	return out
}
