package family

import (
	"strings"
	"testing"
)

func TestEveryFamilyIsConsistent(t *testing.T) {
	all := Standard().All()
	if len(all) < 37 {
		t.Fatalf("%d families", len(all))
	}
	for _, f := range all {
		lists := append([][]string{f.Key, f.Primary}, f.Unique...)
		for _, index := range f.Indexes {
			lists = append(lists, index.Columns)
		}
		for _, list := range lists {
			if !f.HasColumns(list) {
				t.Errorf("%s: %v names a column that it lacks", f.Name, list)
			}
		}
		if !f.AppendOnly && len(f.Key) > 0 && strings.Join(f.Indexes[0].Columns, ",") != strings.Join(f.Key, ",") {
			t.Errorf("%s: first index %v is not the key %v", f.Name, f.Indexes[0], f.Key)
		}
		if len(f.position) != len(f.Columns) {
			t.Errorf("%s: a column twice", f.Name)
		}
	}
}

func TestDenyAnswersBeforePermit(t *testing.T) {
	for _, f := range Standard().All() {
		place := map[string]int{}
		for i, c := range f.Reply() {
			place[c.Name] = i
		}
		if len(place) != len(f.Columns) {
			t.Errorf("%s: Reply has %d of %d columns", f.Name, len(place), len(f.Columns))
		}
		for first, second := range before {
			i, one := place[first]
			j, two := place[second]
			if one && two && i > j {
				t.Errorf("%s: %s answers after %s", f.Name, first, second)
			}
		}
	}
}

func TestSQLFormAndBack(t *testing.T) {
	endpoints, err := Standard().Family("ps_endpoints")
	if err != nil {
		t.Fatal(err)
	}
	f := func(column, text string, values ...string) {
		t.Helper()
		got := endpoints.FromSQL(column, text)
		if strings.Join(got, "|") != strings.Join(values, "|") {
			t.Errorf("FromSQL(%q) = %q, want %q", text, got, values)
		}
		if back := endpoints.ToSQL(column, values); back != text {
			t.Errorf("ToSQL(%q) = %q, want %q", values, back, text)
		}
	}
	f("allow", "ulaw;alaw", "ulaw", "alaw")
	f("sdp_session", "A+B^3B 50% off", "A+B; 50% off")
	f("context", "a^5Eb", "a^b")
	f("@note", "a;b^3B", "a;b^3B")
	f("context", "")
}

func TestKeySpelling(t *testing.T) {
	f := func(want string, values ...string) {
		t.Helper()
		if got := string(AppendKey(nil, values...)); got != want {
			t.Errorf("key of %q = %s, want %s", values, got, want)
		}
		back, err := SplitKey(want)
		if err != nil || strings.Join(back, "\x00") != strings.Join(values, "\x00") {
			t.Errorf("SplitKey(%s) = %q, %v", want, back, err)
		}
	}
	f(`["default","1001"]`, "default", "1001")
	f(`["ä;\"\\\n\u0001"]`, "ä;\"\\\n\x01")
	f("[\"M\xfcller\"]", "M\xfcller") // Latin-1, as older tools wrote it
	f(`[]`)
}

func TestABrokenKeyIsNoKey(t *testing.T) {
	f := func(key string) {
		t.Helper()
		if texts, err := SplitKey(key); err == nil {
			t.Errorf("SplitKey(%s) = %q", key, texts)
		}
	}
	f(``)
	f(`[`)
	f(`["a"`)
	f(`["a","b`)
	f(`["a""b"]`)
	f(`["a",]`)
	f(`[1]`)
	f(`["\x"]`)
	f(`["\u0041"]`)
	f(`["\`)
	f(`["a"]x`)
}

func TestTypedKey(t *testing.T) {
	f := func(name, typed, want string) {
		t.Helper()
		fam, err := Standard().Family(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := fam.TypedKey(typed)
		text := strings.Join(got, "|")
		if err != nil {
			text = "error"
		}
		if text != want {
			t.Errorf("%s key %q = %s (%v), want %s", name, typed, text, err, want)
		}
	}
	f("numbers", "14155550123", "|14155550123")
	f("numbers", "acme,14155550123", "acme|14155550123")
	f("ps_contacts", "6001;@abc", "6001^3B@abc")
	f("extensions", "from-internal,_X%2C.,1", "from-internal|_X,.|1")
	f("voicemail", "1001", "error")
	f("cdr", "1", "error")
}

func TestPersonsValuesAreChecked(t *testing.T) {
	f := func(c Column, value string, good bool) {
		t.Helper()
		if problem := c.CheckPerson(value); (problem == "") != good {
			t.Errorf("%v %q: %q", c, value, problem)
		}
	}
	f(Column{Kind: YesNo}, "maybe", false)
	f(Column{Kind: YesNo}, "On", true)
	f(Column{Kind: Integer}, "12", true)
	f(Column{Kind: Integer}, "1x", false)
	f(Column{Kind: Text, Length: 3}, "äöü", true)
	f(Column{Kind: Text, Length: 3}, "abcd", false)
}
