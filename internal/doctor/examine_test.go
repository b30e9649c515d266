package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"asterism/internal/asteriskconf"
)

// report writes findings one line each, as the last file of a case has them.
func report(findings []Finding) string {
	var out strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&out, "%s:%d [%s] %s\n    %s\n", f.File, f.Line, f.Check, f.Problem, f.Remedy)
	}
	return out.String()
}

// examined writes the files of a case into a folder and examines it.
func examined(t *testing.T, archive *txtar.Archive) []Finding {
	t.Helper()
	folder := t.TempDir()
	for _, f := range archive.Files[:len(archive.Files)-1] {
		if err := os.WriteFile(filepath.Join(folder, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opened, err := asteriskconf.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	release, err := ParseRelease(told(archive))
	if err != nil {
		t.Fatal(err)
	}
	findings, err := Examine(opened, release)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

// told is the release of Asterisk that a case names in a line "release: 22.6" of its
// comment, or nothing.
func told(archive *txtar.Archive) string {
	for line := range strings.Lines(string(archive.Comment)) {
		if text, ok := strings.CutPrefix(line, "release: "); ok {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// TestFolders examines each folder of testdata. Its last file is the report;
// UPDATE_REPORTS=1 writes it anew. The name of a case begins with a check's name
// and its report has that check, so none is without a case.
func TestFolders(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			last := len(archive.Files) - 1
			findings := examined(t, archive)
			for _, f := range findings {
				seen[f.Check] = true
			}
			got := report(findings)
			if os.Getenv("UPDATE_REPORTS") != "" {
				archive.Files[last].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(archive.Files[last].Data), got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, c := range checks() {
		if !seen[c.name] {
			t.Errorf("no folder of testdata shows %s", c.name)
		}
	}
}

func TestEveryFindingSaysWhatMendsIt(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range examined(t, archive) {
			if f.File == "" || f.Problem == "" || f.Remedy == "" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

func TestAFileThatCantBeReadIsAnError(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "extconfig.conf"), 0o700); err != nil {
		t.Fatal(err)
	}
	opened, err := asteriskconf.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Examine(opened, Release{}); err == nil || err.Error() != "read extconfig.conf: not a regular file" {
		t.Error(err)
	}
}
