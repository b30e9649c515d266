package realtime

import (
	"bytes"
	"strings"
	"testing"

	"asterism/internal/directory"
)

func TestOperatorOfAName(t *testing.T) {
	f := func(name, column string, op directory.Op, ok bool) {
		t.Helper()
		gotColumn, gotOp, gotOK := operator([]byte(name))
		if gotOK != ok || ok && (string(gotColumn) != column || gotOp != op) {
			t.Errorf("%q is %q %v %v, want %q %v %v", name, gotColumn, gotOp, gotOK, column, op, ok)
		}
	}
	f("id", "id", directory.Equal, true)
	f("id ", "id", directory.Equal, true)
	f("id =", "id", directory.Equal, true)
	f("id=", "id", directory.Equal, true)
	f("id LIKE", "id", directory.Like, true)
	f("id  like ", "id", directory.Like, true)
	f("id NOT LIKE", "id", directory.NotLike, true)
	f("id not  like", "id", directory.NotLike, true)
	f("mailboxes !=", "mailboxes", directory.NotEqual, true)
	f("mailboxes <>", "mailboxes", directory.NotEqual, true)
	f("expiration_time <=", "expiration_time", directory.LessEqual, true)
	f("startTime<= ", "startTime", directory.LessEqual, true)
	f("endtime >= ", "endtime", directory.GreaterEqual, true)
	f("penalty<", "penalty", directory.Less, true)
	f("penalty >", "penalty", directory.Greater, true)
	f("@exten LIKE", "@exten", directory.Like, true)
	f("idLIKE", "idLIKE", directory.Equal, true)
	f("id RLIKE", "", 0, false)
	f("id LIKE x", "", 0, false)
	f("id ==", "", 0, false)
	f("id =>", "", 0, false)
	f("id NOT", "", 0, false)
	f("id REGEXP", "", 0, false)
}

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

func FuzzParse(f *testing.F) {
	for _, form := range []string{
		"", "id=6001", "id%20LIKE=6001%3B%40%25&", "&&a=b&&", "=", "=a", "a", "a==b", "a=%", "a=%4", "a=%zz", "%00=%00", "a=+&b=%2B",
		strings.Repeat("a=b&", MaxPairs), strings.Repeat("a=b&", MaxPairs+1),
	} {
		f.Add([]byte(form))
	}
	f.Fuzz(func(t *testing.T, form []byte) {
		asked := bytes.Clone(form)
		pairs, _, ok := parse(form, nil, nil)
		if !bytes.Equal(form, asked) {
			t.Fatalf("%q was changed to %q", asked, form)
		}
		if len(pairs) > MaxPairs || !ok && len(pairs) != MaxPairs {
			t.Fatalf("%d pairs, ok %v", len(pairs), ok)
		}
		if !ok {
			return
		}
		again, _, ok := parse(wire(pairs, "&"), nil, nil)
		if !ok || len(again) != len(pairs) {
			t.Fatalf("%d pairs come back as %d", len(pairs), len(again))
		}
		for i, p := range pairs {
			if len(p.name) == 0 {
				t.Fatalf("pair %d has no name", i)
			}
			if !bytes.Equal(p.name, again[i].name) || !bytes.Equal(p.value, again[i].value) {
				t.Fatalf("%q=%q comes back as %q=%q", p.name, p.value, again[i].name, again[i].value)
			}
		}
	})
}
