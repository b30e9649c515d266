package asterisk

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// soon is how long a test waits for what Asterisk or a node does by itself.
const soon = 15 * time.Second

// local starts a call between two extensions of the context "test" within the
// Asterisk: no phone takes part. The second runs once the first has answered.
func local(t *testing.T, a *lab.Asterisk, first, second string) {
	t.Helper()
	a.CLI(t, "channel originate Local/%s@test/n extension %s@test", first, second)
}

// global is a global variable of the dialplan, where extensions note what they saw.
func global(t *testing.T, a *lab.Asterisk, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^\s*` + name + `=(.*?)\s*$`).FindStringSubmatch(a.CLI(t, "dialplan show globals"))
	if found == nil {
		return ""
	}
	return found[1]
}

// globalIs waits until a global variable has a value, and tells what it has when it
// does not get it.
func globalIs(t *testing.T, a *lab.Asterisk, name, want string) {
	t.Helper()
	becomes(t, "the global variable "+name, want, func() string { return global(t, a, name) })
}

// sqlIs waits until a query of the store gives a result.
func sqlIs(t *testing.T, home *lab.Home, query, want string) {
	t.Helper()
	becomes(t, query, want, func() string { return home.SQL(t, query) })
}

// becomes asks until the answer is the one wanted.
func becomes(t *testing.T, what, want string, ask func() string) {
	t.Helper()
	got := ask()
	for deadline := time.Now().Add(soon); got != want && time.Now().Before(deadline); got = ask() {
		select {
		case <-t.Context().Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// learns waits until an Asterisk that keeps answers has heard that a row is another.
func learns(t *testing.T, a *lab.Asterisk, family, id, value string) {
	t.Helper()
	lab.Eventually(t, soon, family+" "+id+" has "+value, func() bool {
		return strings.Contains(a.CLI(t, "realtime load %s id %s", family, id), value)
	})
}

// callsEnd waits until no call is up: what follows finds nothing half done.
func callsEnd(t *testing.T, a *lab.Asterisk) {
	t.Helper()
	lab.Eventually(t, soon, "all calls have ended", func() bool {
		return regexp.MustCompile(`(?m)^0 active channels`).MatchString(a.CLI(t, "core show channels count"))
	})
}

// onTest is an extensions.conf with the context "test" of local calls.
func onTest(lines ...string) string {
	return "[general]\n[test]\n" + strings.Join(lines, "\n") + "\n"
}
