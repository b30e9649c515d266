package lab

import (
	"encoding/csv"
	"os"
)

// writeCSV writes rows to a file.
func writeCSV(t T, path string, comma rune, rows [][]string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	w := csv.NewWriter(file)
	w.Comma = comma
	if err := w.WriteAll(rows); err != nil {
		t.Fatalf("write %s: %v", path, err)
	}
	if err := file.Close(); err != nil {
		t.Fatalf("%v", err)
	}
}
