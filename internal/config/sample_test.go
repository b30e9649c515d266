package config

import (
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSampleChangesNothing(t *testing.T) {
	if diff := cmp.Diff(Default(), parsed(t, string(Sample())), sameValues()); diff != "" {
		t.Error(diff)
	}
}

func TestSampleShowsEveryKeyWithItsDefault(t *testing.T) {
	const client = "berlin"
	option := regexp.MustCompile(`(?m)^#([a-z_.]+ =|\[)`)
	shown := parsed(t, option.ReplaceAllString(string(Sample()), "$1"))

	want := Default()
	want.Clients = map[string]Client{client: {Networks: []netip.Prefix{netip.MustParsePrefix("10.1.2.0/24")}}}
	wantValues, values := rendered(want), rendered(shown)
	keys := want.Keys()
	for _, key := range append(keys, "clients."+client+".tables") {
		if shown.Origin(key) == "default" {
			t.Errorf("%s is not in the sample", key)
		}
		if key != "node.name" && values[key] != wantValues[key] {
			t.Errorf("%s: the sample shows %s, the default is %s", key, values[key], wantValues[key])
		}
	}
}

func TestSampleExplainsEveryKey(t *testing.T) {
	before := ""
	for line := range strings.Lines(string(Sample())) {
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "# ") && line != "#\n" && !strings.HasPrefix(before, "#") {
			t.Errorf("nothing above %s", line)
		}
		before = line
	}
}
