package asterisk

import (
	"os"
	"strings"
	"testing"

	"asterism/test/lab"
)

func TestMain(m *testing.M) { os.Exit(lab.Main(m.Run)) }

// onEach runs a test on each release of the lab.
func onEach(t *testing.T, test func(t *testing.T, release lab.Release)) {
	t.Helper()
	for _, engine := range lab.Engines {
		onEachOver(t, engine, test)
	}
}

// onEachOver runs a test that is about one engine.
func onEachOver(t *testing.T, engine lab.Engine, test func(t *testing.T, release lab.Release)) {
	t.Helper()
	for _, release := range lab.Releases {
		t.Run(release.Name+"-"+string(engine), func(t *testing.T) { test(t, release.With(engine)) })
	}
}

// onPhones is an extensions.conf for the context of the lab's phones.
func onPhones(lines ...string) string {
	return "[general]\n[phones]\n" + strings.Join(lines, "\n") + "\n"
}
