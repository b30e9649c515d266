package module

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"asterism/test/lab"
)

func TestMain(m *testing.M) { os.Exit(lab.Main(m.Run)) }

// soaking tells whether the heavy form of a test is wanted.
func soaking() bool { return os.Getenv("ASTERISM_SOAK") != "" }

// sized is how much a test does.
func sized(usual, soak int) int {
	if soaking() {
		return soak
	}
	return usual
}

// on runs a test on each release with the module; soaking on the newest.
func on(t *testing.T, test func(t *testing.T, release lab.Release)) {
	t.Helper()
	releases := lab.Releases
	if soaking() {
		releases = []lab.Release{lab.Asterisk22}
	}
	for _, release := range releases {
		t.Run(release.Name, func(t *testing.T) { test(t, release.With(lab.Native)) })
	}
}

// conf is an asterism.conf with servers in order of preference.
func conf(lines string, nodes ...string) string {
	text := "[general]\n"
	for _, node := range nodes {
		text += "server = " + lab.SOAP(node) + "\n"
	}
	return text + lines
}

// managed adds the manager interface to an instance's files.
func managed(t *testing.T, files map[string]string) (port int, all map[string]string) {
	t.Helper()
	port = lab.FreePort(t)
	if files == nil {
		files = map[string]string{}
	}
	files["manager.conf"] = lab.ManagerFile(port)
	return port, files
}

// number is the i-th number of the tests.
func number(i int) string { return fmt.Sprint(493000000 + i) }

// count is how many lines of a text have a word.
func count(text, word string) (n int) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			n++
		}
	}
	return n
}
