package asteriskconf

import (
	"strings"
	"testing"
)

// FuzzRead reads any text beside a file that it may include, and itself. More
// seeds stand in testdata.
func FuzzRead(f *testing.F) {
	f.Add(phone)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			t.Skip()
		}
		folder := tree(map[string]string{"main.conf": text, "other.conf": "[other]\ny=2\n"})
		folder.limits = limits{depth: 4, files: 20, bytes: 1 << 16, inherited: 1000}
		file, err := folder.Read("main.conf")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, s := range file.Sections {
			if s.File == "main.conf" && (s.Line < 1 || s.Line > lines) {
				t.Errorf("section %q at %v of %d lines", s.Name, s.Position, lines)
			}
			for _, v := range s.Variables {
				if v.Name == "" || v.Value != strings.TrimFunc(v.Value, blank) || strings.ContainsRune(v.Value, '\n') {
					t.Errorf("%v: %q = %q", v.Position, v.Name, v.Value)
				}
			}
		}
	})
}
