package directory

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"asterism/internal/family"
)

func standard(t testing.TB, names ...string) []*family.Family {
	t.Helper()
	var out []*family.Family
	for _, name := range names {
		f, err := family.Standard().Family(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// rowOf builds a row from "column=value" pairs in the form of SQL.
func rowOf(t testing.TB, d *Directory, name string, pairs ...string) Row {
	t.Helper()
	columns := d.View().Table([]byte(name)).Columns()
	b := NewBuilder(columns)
	for _, pair := range pairs {
		column, text, _ := strings.Cut(pair, "=")
		at, ok := columns.Find([]byte(column))
		if !ok {
			t.Fatalf("no column %s", column)
		}
		b.AddSQL(at, []byte(text))
	}
	return b.Row()
}

func conditionsOf(pairs ...string) []Condition {
	var out []Condition
	for _, pair := range pairs {
		words := strings.SplitN(pair, " ", 3)
		op, ok := ParseOp([]byte(strings.ReplaceAll(words[1], "_", " ")))
		if !ok {
			panic(pair)
		}
		out = append(out, Condition{Column: []byte(words[0]), Op: op, Value: []byte(words[2])})
	}
	return out
}

func find(d *Directory, name string, pairs ...string) []string {
	out := []string{}
	d.View().Table([]byte(name)).Find(Query{Conditions: conditionsOf(pairs...)}, func(r Row) bool {
		out = append(out, r.Curl())
		return true
	})
	return out
}

func TestRowKeepsItsValues(t *testing.T) {
	d := New(standard(t, "ps_endpoints"), nil)
	r := rowOf(t, d, "ps_endpoints", "id=6001", "allow=ulaw;alaw", "disallow=all", `callerid="Ann Lee" <6001>`, "sdp_session=A+B^3B 50% off")
	want := `id=6001&disallow=all&allow=ulaw&allow=alaw&callerid=%22Ann%20Lee%22%20%3C6001%3E&sdp_session=A%2BB%3B%2050%25%20off`
	if r.Curl() != want {
		t.Errorf("curl form\n%s, want\n%s", r.Curl(), want)
	}
	columns := d.View().Table([]byte("ps_endpoints")).Columns()
	f := func(column, want string) {
		t.Helper()
		at, _ := columns.Find([]byte(column))
		if got := r.Text(at); got != want {
			t.Errorf("%s = %q, want %q", column, got, want)
		}
	}
	f("sdp_session", "A+B; 50% off")
	f("ALLOW", "ulaw;alaw")
	f("context", "")
}

func TestWideRow(t *testing.T) {
	d := New(standard(t, "ps_endpoints"), nil)
	long := strings.Repeat("x y", 40000)
	r := rowOf(t, d, "ps_endpoints", "id=6001", "set_var="+long, "context=c")
	columns := d.View().Table([]byte("ps_endpoints")).Columns()
	at, _ := columns.Find([]byte("set_var"))
	if r.Value(at) != long || !strings.HasPrefix(r.Curl(), "id=6001&context=c&") {
		t.Errorf("a row past 64 KiB lost its values: %.60s", r.Curl())
	}
}

// generated draws a small random family state: rows by key.
func drawRows(rt *rapid.T, d *Directory, t testing.TB) []Row {
	small := rapid.SampledFrom([]string{"", "1", "2", "10", "9", "a", "ab", "abc", "_x", "b%c", "ü"})
	n := rapid.IntRange(0, 40).Draw(rt, "rows")
	var rows []Row
	for range n {
		rows = append(rows, rowOf(t, d, "queue_members",
			"queue_name="+small.Draw(rt, "queue"), "interface="+small.Draw(rt, "interface"),
			"penalty="+rapid.SampledFrom([]string{"", "0", "1", "10", "9", "007"}).Draw(rt, "penalty"),
			"uniqueid="+small.Draw(rt, "uniqueid"), "membername="+small.Draw(rt, "member")))
	}
	return rows
}

func publishAll(d *Directory, name string, rows []Row) {
	t := d.View().Table([]byte(name))
	buckets := map[string]Bucket{}
	for _, r := range rows {
		key := keyText(t.KeyOf(r))
		buckets[key] = Bucket{Key: t.KeyOf(r), Rows: append(buckets[key].Rows, r)}
	}
	for _, bucket := range buckets {
		d.Publish(name, []Bucket{bucket})
	}
}

func TestFindEqualsAPlainScan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := New(standard(t, "queue_members"), nil)
		publishAll(d, "queue_members", drawRows(rt, d, t))
		table := d.View().Table([]byte("queue_members"))
		column := rapid.SampledFrom([]string{"queue_name", "interface", "penalty", "uniqueid", "membername", "Interface"})
		op := rapid.SampledFrom([]Op{Equal, Equal, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Like, Like, NotLike})
		value := rapid.SampledFrom([]string{"", "1", "2", "10", "09", "a", "ab", "%", "a%", `\_%`, "%b%", "a_%", "_", "1.0", "ü", "007"})
		var conditions []Condition
		for range rapid.IntRange(1, 4).Draw(rt, "conditions") {
			conditions = append(conditions, Condition{[]byte(column.Draw(rt, "column")), op.Draw(rt, "op"), []byte(value.Draw(rt, "value"))})
		}
		var got []Row
		table.Find(Query{Conditions: conditions}, func(r Row) bool { got = append(got, r); return true })

		bounds, _ := table.bind(nil, conditions)
		var want []Row
		table.Each(func(r Row) bool {
			if table.matches(bounds, r) {
				want = append(want, r)
			}
			return true
		})
		order := compareBy(table.columns, []int{bounds[0].column}, table.key)
		slices.SortFunc(want, order.compare)
		if !slices.Equal(got, want) {
			rt.Fatalf("%s\ngot  %v\nwant %v", describe(conditions), got, want)
		}
	})
}

func describe(conditions []Condition) string {
	var out []string
	for _, c := range conditions {
		out = append(out, fmt.Sprintf("%s op%d %q", c.Column, c.Op, c.Value))
	}
	return strings.Join(out, " and ")
}

func TestOneByOneEqualsFromScratch(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		one := New(standard(t, "queue_members"), nil)
		table := one.View().Table([]byte("queue_members"))
		state := map[string]Bucket{}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			rows := drawRows(rt, one, t)
			if len(rows) == 0 {
				for key, bucket := range state { // empty a bucket
					one.Publish("queue_members", []Bucket{{Key: bucket.Key}})
					delete(state, key)
					break
				}
				continue
			}
			key := keyText(table.KeyOf(rows[0]))
			bucket := Bucket{Key: table.KeyOf(rows[0])}
			for _, r := range rows {
				if keyText(table.KeyOf(r)) == key {
					bucket.Rows = append(bucket.Rows, r)
				}
			}
			state[key] = bucket
			one.Publish("queue_members", []Bucket{bucket})
		}
		scratch := New(standard(t, "queue_members"), nil)
		f, _ := family.Standard().Family("queue_members")
		rebuild := scratch.Begin(f)
		count := 0
		for _, bucket := range state {
			for _, r := range bucket.Rows {
				rebuild.Add(r)
				count++
			}
		}
		rebuild.Commit()
		a, b := one.View().Table([]byte("queue_members")), scratch.View().Table([]byte("queue_members"))
		if a.Digest(0) != b.Digest(0) || a.Count() != count || b.Count() != count {
			rt.Fatalf("one by one %+v (%d), from scratch %+v (%d), want %d rows", a.Digest(0), a.Count(), b.Digest(0), b.Count(), count)
		}
		for i := range a.order {
			if a.order[i].tree.Len() != b.order[i].tree.Len() {
				rt.Fatalf("ordered index %d: %d and %d rows", i, a.order[i].tree.Len(), b.order[i].tree.Len())
			}
		}
	})
}

func TestAPublishedViewNeverChanges(t *testing.T) {
	d := New(standard(t, "ps_aors"), nil)
	publish := func(n int, contact string) {
		r := rowOf(t, d, "ps_aors", fmt.Sprintf("id=%05d", n), "contact="+contact)
		d.Publish("ps_aors", []Bucket{{Key: []string{fmt.Sprintf("%05d", n)}, Rows: []Row{r}}})
	}
	for n := range 2000 {
		publish(n, "sip:old")
	}
	old := d.View().Table([]byte("ps_aors"))
	before := old.Digest(0)
	var readers sync.WaitGroup
	readers.Go(func() {
		for range 20 {
			if old.Digest(0) != before {
				t.Error("a published view changed")
				return
			}
			n := 0
			old.Find(Query{Conditions: conditionsOf("id LIKE 00%")}, func(Row) bool { n++; return true })
			if n != 1000 {
				t.Errorf("%d rows in the old view's order", n)
			}
		}
	})
	for n := range 2000 {
		publish(n, "sip:new")
		if n%2 == 0 {
			d.Publish("ps_aors", []Bucket{{Key: []string{fmt.Sprintf("%05d", n)}}})
		}
	}
	readers.Wait()
	if n := d.View().Table([]byte("ps_aors")).Count(); n != 1000 {
		t.Errorf("%d rows left, want 1000", n)
	}
}

func TestRowsThatAreEqualAreAllKept(t *testing.T) {
	d := New(standard(t, "queue_rules"), nil)
	r := rowOf(t, d, "queue_rules", "rule_name=r", "time=10", "min_penalty=1")
	other := rowOf(t, d, "queue_rules", "rule_name=r", "time=20", "min_penalty=1")
	d.Publish("queue_rules", []Bucket{{Key: []string{"r"}, Rows: []Row{r, r, other}}})
	if got := find(d, "queue_rules", "rule_name LIKE %"); len(got) != 3 || !slices.Contains(got, other.Curl()) {
		t.Errorf("%q", got)
	}
	d.Publish("queue_rules", []Bucket{{Key: []string{"r"}, Rows: []Row{other}}})
	if got := find(d, "queue_rules", "rule_name = r"); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// TestAQuickQuestionIsGivenUp: a quick question is answered in full or not at all.
func TestAQuickQuestionIsGivenUp(t *testing.T) {
	d := numbersOf(t, 20_000)
	table := d.View().Table([]byte("numbers"))
	f := func(column string, op Op, value string, slow bool) {
		t.Helper()
		q := Query{Conditions: []Condition{{Column: []byte(column), Op: op, Value: []byte(value)}}}
		rows := table.Find(q, func(Row) bool { return true }).Rows
		q.Quick = true
		if got := table.Find(q, func(Row) bool { return true }); got.Slow != slow || !slow && got.Rows != rows {
			t.Errorf("%s %v %s: %+v, in full %d", column, op, value, got, rows)
		}
	}
	f("number", Equal, "4930000007", false)
	f("number", Equal, "absent", false)
	f("number", Like, "493000000%", false)
	f("number", Like, "4930000%", true)
	f("codecs", Equal, "ulaw,alaw", true)
	f("codecs", Equal, "absent", true)
}
