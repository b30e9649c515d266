package module

import (
	"testing"

	"asterism/test/lab"
)

// familyCache is what the module tells of a family's answers.
type familyCache struct{ answers, negative, hits, misses, stale int }

// cacheOf asks over the manager.
func cacheOf(t *testing.T, manager *lab.Manager, family string) (found familyCache) {
	t.Helper()
	if got := manager.Act(t, "AsterismCache"); got.Get("Response") != "Success" {
		t.Fatalf("AsterismCache: %v", got)
	}
	for {
		event := manager.Next(t)
		count := func(name string) int { return asNumber(t, event, name) }
		switch {
		case event.Get("Event") == "AsterismCacheComplete":
			return found
		case event.Get("Event") == "AsterismCacheFamily" && event.Get("Family") == family:
			found = familyCache{count("Answers"), count("Negative"), count("Hits"), count("Misses"), count("Stale")}
		}
	}
}

// quiet holds that an Asterisk complained about nothing.
func quiet(t *testing.T, a *lab.Asterisk) {
	t.Helper()
	for _, line := range a.Faults(t) {
		t.Errorf("asterisk %s: %s", a.Release.Name, line)
	}
}
