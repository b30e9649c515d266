package failure

import "testing"

func TestDistance(t *testing.T) {
	f := func(a, b string, want int) {
		t.Helper()
		if got := Distance(a, b); got != want {
			t.Errorf("from %q to %q: %d, want %d", a, b, got, want)
		}
	}
	f("codecs", "codecs", 0)
	f("codec", "codecs", 1)
	f("", "abc", 3)
	f("kitten", "sitting", 3)
}
