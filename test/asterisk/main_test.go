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
	for _, release := range lab.Releases {
		t.Run(release.Name, func(t *testing.T) { test(t, release) })
	}
}

// onPhones is an extensions.conf for the context of the lab's phones.
func onPhones(lines ...string) string {
	return "[general]\n[phones]\n" + strings.Join(lines, "\n") + "\n"
}
