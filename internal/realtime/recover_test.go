package realtime

import (
	"bytes"
	"strings"
	"testing"

	"asterism/internal/directory"
	"asterism/internal/family"
)

func columnsOfFamily(t testing.TB, name string) *directory.Columns {
	t.Helper()
	f, err := family.Standard().Family(name)
	if err != nil {
		t.Fatal(err)
	}
	return directory.NewColumns(f, nil)
}

func TestRecoverPairs(t *testing.T) {
	columns := columnsOfFamily(t, "voicemail")
	f := func(form, want string) {
		t.Helper()
		pairs, ok := recoverPairs([]byte(form), columns, nil)
		var got []string
		for _, p := range pairs {
			got = append(got, string(p.name)+"="+string(p.value))
		}
		if !ok {
			got = []string{"refused"}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s is %s, want %s", form, text, want)
		}
	}
	f("&context=defaultmailbox=1001", "context=default, mailbox=1001")
	f("&password=4321", "password=4321")
	f("&password=4321email=a%40example.com", "password=4321, email=a@example.com")
	f("&context=mailbox=", "context=, mailbox=")
	f("&context=a%3Dbmailbox=1%3D2", "context=a=b, mailbox=1=2")
	f("&context=a%26bmailbox=1", "context=a&b, mailbox=1")
	f("&context%20!%3D=defaultmailbox%20LIKE=10%25", "context !==default, mailbox LIKE=10%")
	f("&context=default&mailbox=1001", "context=default, mailbox=1001") // a client that mends it
	// The longest name wins: imapuser before no shorter one, fullname before none.
	f("&context=ximapuser=1", "context=x, imapuser=1")
	f("&context=xattachfmt=1", "context=x, attachfmt=1")
	f("&context=x", "context=x")
	// Names are recovered in their own case only; Asterisk's own are exact.
	f("&context=defaultMAILBOX=1001", "refused")
	f("&context=defaultnosuch=1001", "refused")
	f("&context=default=1001", "refused")
	f("&context", "refused")
	f("&", "refused")
	f("", "refused")
	f("&"+strings.Repeat("context=a", MaxPairs+1), "refused")
	// The value is long, the way to its end short.
	long := strings.Repeat("x", 1<<20)
	f("&context="+long+"mailbox=1", "context="+long+", mailbox=1")
}

// pairsFrom makes pairs of random bytes: each zero byte ends a value, the byte
// before a value picks column and operator.
func pairsFrom(source []byte, columns *directory.Columns) (pairs []pair) {
	operators := []string{"", "", "", " LIKE", " !=", " <=", "<= ", " NOT LIKE"}
	for piece := range bytes.SplitSeq(source, []byte{0}) {
		if len(piece) < 2 || len(pairs) == MaxPairs {
			continue
		}
		name := columns.Name(int(piece[0])%columns.Len()) + operators[int(piece[1])%len(operators)]
		pairs = append(pairs, pair{name: []byte(name), value: piece[2:]})
	}
	return pairs
}

// ambiguous tells whether a value and the next name together end in a longer
// column name than that one: then no reader can tell.
func ambiguous(pairs []pair, columns *directory.Columns) bool {
	for i := range pairs[:max(len(pairs)-1, 0)] {
		value, name := pairs[i].value, pairs[i+1].name
		if suffix(append(bytes.Clone(value), name...), columns) != len(value) {
			return true
		}
	}
	return false
}

func FuzzRecover(f *testing.F) {
	for _, source := range []string{
		"", "\x01\x00default\x00\x02\x001001", "\x01\x03a=b\x00\x02\x04", "&context=defaultmailbox=1001", "&password=4321email=a%40b", "&a=b=c",
		"context=a&mailbox=b", "\x05\x00imap\x00\x1c\x00x", "\x01\x00\xff&=%\x00\x02\x06 ",
	} {
		f.Add([]byte(source))
	}
	all := []*directory.Columns{columnsOfFamily(f, "voicemail"), columnsOfFamily(f, "ps_endpoints"), columnsOfFamily(f, "sippeers")}
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, columns := range all {
			// Anything at all: each raw "=" stands between a name and a value, so
			// fewer pairs would be fewer conditions.
			if pairs, ok := recoverPairs(source, columns, nil); ok && len(pairs) != bytes.Count(source, []byte("=")) {
				t.Fatalf("%q gives %d pairs", source, len(pairs))
			}
			want := pairsFrom(source, columns)
			if len(want) == 0 {
				continue
			}
			form := append([]byte("&"), wire(want, "")...)
			got, ok := recoverPairs(form, columns, nil)
			if !ok || len(got) != len(want) {
				t.Fatalf("%q: %d pairs come back as %d, ok %v", form, len(want), len(got), ok)
			}
			if ambiguous(want, columns) {
				continue
			}
			for i, p := range want {
				if !bytes.Equal(p.name, got[i].name) || !bytes.Equal(p.value, got[i].value) {
					t.Fatalf("%q: %q=%q comes back as %q=%q", form, p.name, p.value, got[i].name, got[i].value)
				}
			}
		}
	})
}
