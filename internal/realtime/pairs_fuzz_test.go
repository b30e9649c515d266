package realtime

import (
	"bytes"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"asterism/internal/directory"
)

// wire spells pairs as res_config_curl does.
func wire(pairs []pair, between string) []byte {
	var out []byte
	for i, p := range pairs {
		if i > 0 {
			out = append(out, between...)
		}
		out = directory.AppendEscaped(out, p.name)
		out = append(out, '=')
		out = directory.AppendEscaped(out, p.value)
	}
	return out
}

// FuzzParse holds that what is read of a form comes back when it is written as
// Asterisk writes it, and that net/url reads the same wherever both mean the same.
// The corpus is in testdata/fuzz/FuzzParse.
func FuzzParse(f *testing.F) {
	for _, form := range []string{
		"", "id=6001", "id%20LIKE=6001%3B%40%25&", "&&a=b&&", "=", "=a", "a", "a==b", "a=%", "a=%4", "a=%zz", "%00=%00", "a=+&b=%2B",
		strings.Repeat("a=b&", MaxPairs), strings.Repeat("a=b&", MaxPairs+1), strings.Repeat("a", MaxName+1) + "=b",
	} {
		f.Add([]byte(form))
	}
	f.Fuzz(func(t *testing.T, form []byte) {
		asked := bytes.Clone(form)
		pairs, _, reason := parse(form, nil, nil)
		if !bytes.Equal(form, asked) {
			t.Fatalf("%q was changed to %q", asked, form)
		}
		if len(pairs) > MaxPairs || reason == tooManyFields && len(pairs) != MaxPairs {
			t.Fatalf("%d pairs, %s", len(pairs), reason)
		}
		if reason != "" {
			return
		}
		written := wire(pairs, "&")
		again, _, reason := parse(written, nil, nil)
		if reason != "" || len(again) != len(pairs) {
			t.Fatalf("%d pairs come back as %d %s", len(pairs), len(again), reason)
		}
		for i, p := range pairs {
			if len(p.name) == 0 || len(p.name) > MaxName || len(p.value) > MaxValue {
				t.Fatalf("pair %d has a name of %d bytes and a value of %d", i, len(p.name), len(p.value))
			}
			if !bytes.Equal(p.name, again[i].name) || !bytes.Equal(p.value, again[i].value) {
				t.Fatalf("%q=%q comes back as %q=%q", p.name, p.value, again[i].name, again[i].value)
			}
		}
		compareWithURL(t, string(written), pairs)
		if !bytes.ContainsAny(form, "+;") { // a blank and an error there
			compareWithURL(t, string(form), pairs)
		}
	})
}

// compareWithURL holds that net/url reads the same pairs, unless it finds no
// sense in a form ("%" without digits).
func compareWithURL(t *testing.T, form string, pairs []pair) {
	t.Helper()
	want, err := url.ParseQuery(form)
	if err != nil {
		return
	}
	got := make(url.Values)
	for _, p := range pairs {
		got.Add(string(p.name), string(p.value))
	}
	delete(want, "") // nobody's value
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Fatalf("%q is %q, net/url says %q", form, got, want)
	}
}
