package realtime

import (
	"bytes"
	"testing"

	"asterism/internal/directory"
)

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
			if pairs, reason := recoverPairs(source, columns, nil); reason == "" && len(pairs) != bytes.Count(source, []byte("=")) {
				t.Fatalf("%q gives %d pairs", source, len(pairs))
			}
			want := pairsFrom(source, columns)
			if len(want) == 0 {
				continue
			}
			form := append([]byte("&"), wire(want, "")...)
			got, reason := recoverPairs(form, columns, nil)
			if reason == fieldTooLong && tooLong(want) == fieldTooLong {
				continue
			}
			if reason != "" || len(got) != len(want) {
				t.Fatalf("%q: %d pairs come back as %d %s", form, len(want), len(got), reason)
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
