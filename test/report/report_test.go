package report

import (
	"testing"
	"time"
)

func TestCPUOfTheMachineIsRead(t *testing.T) {
	got, err := parseUsage("cpu  100 20 30 1000 50 6 7 8 9 10\ncpu0 1 2 3\n")
	want := Usage{Busy: 1710 * time.Millisecond, All: 12210 * time.Millisecond}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, stat := range []string{"", "cpu 1 2 3\n", "cpu0 1 2 3 4 5 6 7 8\n", "cpu 1 2 3 4 5 6 7 x\n"} {
		if u, err := parseUsage(stat); err == nil {
			t.Errorf("%q gave %+v and no error", stat, u)
		}
	}
}

func TestSectionsReplaceOnlyWhatIsMarked(t *testing.T) {
	const document = "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n"
	got, err := ReplaceSection(document, "x", "new\n")
	if want := "a\n<!-- bench:x -->\nnew\n<!-- /bench:x -->\nb\n"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, broken := range []string{"", "<!-- bench:x -->\nnever closed", "<!-- /bench:x -->\n<!-- bench:x -->\n"} {
		if text, err := ReplaceSection(broken, "x", "new"); err == nil {
			t.Errorf("%q gave %q and no error", broken, text)
		}
	}
}
