package store

import (
	"path/filepath"
	"strings"
	"testing"

	"asterism/internal/failure"
)

// A table of another program may bear a family's name. It must be refused by
// name: without its key no row of it can be found again.
func TestATableWithoutItsKeyIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	db, err := open(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE numbers (x INTEGER)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Init(t.Context(), "sqlite:"+path, Options{})
	if failure.KindOf(err) != failure.Invalid || !strings.Contains(err.Error(), "table numbers") || !strings.Contains(err.Error(), "tenant") {
		t.Errorf("init over a foreign table numbers: %v", err)
	}
}
