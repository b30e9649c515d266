package lab

import (
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Main(m.Run)) }

// TestBootIsQuiet shows that an instance of each release boots with nothing to
// complain about, so that what others see in a log is their own.
func TestBootIsQuiet(t *testing.T) {
	for _, release := range Releases {
		t.Run(release.Name, func(t *testing.T) {
			a := release.Start(t, Settings{})
			t.Logf("Asterisk %s ready after %v", release.Version(t), a.Boot)
			if got := a.CLI(t, "core show settings"); !strings.Contains(got, "System name:") || !strings.Contains(got, "lab") {
				t.Errorf("settings: %s", got)
			}
			if got := a.CLI(t, "core show version"); !strings.Contains(got, "Asterisk "+release.Name+".") {
				t.Errorf("version: %s", got)
			}
			for _, line := range a.Faults(t) {
				t.Error(line)
			}
		})
	}
}
