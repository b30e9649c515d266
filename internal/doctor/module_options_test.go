package doctor

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/asteriskconf"
)

// What the doctor knows of asterism.conf is what the sample beside the module's
// sources explains, with values that the doctor has nothing to say of.
func TestOptionsAreThoseOfTheSample(t *testing.T) {
	sample, err := os.ReadFile("../../asterisk/asterism.conf.sample")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	text := regexp.MustCompile(`(?m)^;(\w+ *=)`).ReplaceAll(sample, []byte("$1"))
	if err := os.WriteFile(filepath.Join(folder, "asterism.conf"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	opened, err := asteriskconf.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	s, err := read(opened, Release{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(badOptions(s), append(badServers(s), badModuleTables(s)...)...) {
		t.Errorf("%s:%d: %s", f.File, f.Line, f.Problem)
	}
	for name, section := range moduleSections() {
		explained := map[string]bool{}
		for _, v := range s.moduleSettings(name) {
			explained[v.Name] = true
		}
		if len(explained) == 0 {
			t.Errorf("the sample has no section [%s]", name)
		}
		if section.options == nil {
			continue
		}
		if diff := cmp.Diff(slices.Sorted(maps.Keys(section.options)), slices.Sorted(maps.Keys(explained))); diff != "" {
			t.Errorf("[%s]: %s", name, diff)
		}
	}
}
