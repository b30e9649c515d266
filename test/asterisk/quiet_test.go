package asterisk

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"testing"

	"asterism/test/lab"
)

// quiet holds that an Asterisk complained about nothing but what testdata/known-faults.txt
// lists: lines that it prints just as well when everything comes from files.
func quiet(t *testing.T, a *lab.Asterisk) {
	t.Helper()
	known := knownFaults(t)
	for _, line := range a.Faults(t) {
		if known(line) == "" {
			t.Errorf("asterisk %s: %s", a.Release.Name, line)
		}
	}
}

// alsoOnFiles holds that each known fault of an Asterisk on realtime is one of the
// same Asterisk on files.
func alsoOnFiles(t *testing.T, realtime, files *lab.Asterisk) {
	t.Helper()
	known := knownFaults(t)
	seen := map[string]bool{}
	for _, line := range files.Faults(t) {
		seen[known(line)] = true
	}
	for _, line := range realtime.Faults(t) {
		if pattern := known(line); pattern != "" && !seen[pattern] {
			t.Errorf("asterisk %s prints on realtime only: %s", realtime.Release.Name, line)
		}
	}
}

// quietNode holds that a node has nothing that an operator should act on.
func quietNode(t *testing.T, node *lab.Node) {
	t.Helper()
	for line := range strings.Lines(node.Log.String()) {
		if strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			t.Errorf("the node: %s", line)
		}
	}
}

// knownFaults gives the pattern of the list that a line matches, or "".
func knownFaults(t *testing.T) func(line string) string {
	t.Helper()
	file, err := os.Open("testdata/known-faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var patterns []*regexp.Regexp
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if text := strings.TrimSpace(lines.Text()); text != "" && !strings.HasPrefix(text, "#") {
			patterns = append(patterns, regexp.MustCompile(text))
		}
	}
	return func(line string) string {
		for _, pattern := range patterns {
			if pattern.MatchString(line) {
				return pattern.String()
			}
		}
		return ""
	}
}
