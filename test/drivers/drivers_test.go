package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestACaseIsMeasured runs the whole harness on few phones, so that a long run does
// not end without its figures.
func TestACaseIsMeasured(t *testing.T) {
	lab.Asterisk22.Root(t)
	lab.NeedProgram(t, "sipp")
	lab.NeedProgram(t, "sqlite3")
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "bench-asterisk.md"))
	if err != nil {
		t.Fatal(err)
	}
	document := filepath.Join(t.TempDir(), "bench-asterisk.md")
	if err := os.WriteFile(document, page, 0o600); err != nil {
		t.Fatal(err)
	}
	p := plan{
		release: lab.Asterisk22, phones: 20, registers: 10, calls: 5, boots: 1, only: []string{"files", "storm"}, command: "go test", document: document,
	}
	if err := run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"`go test`, ", "| files | 20 |", "| the same, memory_cache, listing none | 20 |"} {
		if !strings.Contains(string(written), want) {
			t.Errorf("no %q in\n%s", want, written)
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(document), chartFile)); err != nil {
		t.Error(err)
	}
}
