package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"asterism/internal/family"
)

// schemaIsThatOfPackageFamily compares each table, column by column, with what
// package family says of it.
func schemaIsThatOfPackageFamily(t *testing.T, s *Store) {
	for _, f := range family.Standard().All() {
		columns, primary, err := s.tableColumns(t.Context(), f.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(columns) != len(f.Columns) {
			t.Errorf("%s has %d columns, want %d", f.Name, len(columns), len(f.Columns))
			continue
		}
		for i, got := range columns {
			want := f.Columns[i]
			if got.Name != want.Name || got.Required != want.Required || got.Kind != storedKind(want.Kind) {
				t.Errorf("%s column %d is %v, want %v", f.Name, i, got, want)
			}
		}
		slices.Sort(primary)
		if want := slices.Sorted(slices.Values(f.Primary)); !slices.Equal(primary, want) {
			t.Errorf("%s: primary key %v, want %v", f.Name, primary, want)
		}
		for _, wanted := range f.Unique {
			if !slices.ContainsFunc(uniqueColumns(t, s, f.Name), func(have []string) bool { return slices.Equal(have, wanted) }) {
				t.Errorf("%s: nothing makes %v unique", f.Name, wanted)
			}
		}
	}
}

// storedKind is what the type of a column in SQL tells of its kind.
func storedKind(k family.Kind) family.Kind {
	if k == family.YesNo || k == family.Enum {
		return family.Text
	}
	return k
}

func uniqueColumns(t *testing.T, s *Store, table string) (out [][]string) {
	t.Helper()
	for _, index := range selected(t, s, `SELECT name FROM pragma_index_list(?) WHERE "unique"`, table) {
		out = append(out, selected(t, s, "SELECT name FROM pragma_index_info(?) ORDER BY seqno", index))
	}
	return out
}

func TestDeclarationsOfTheSQLiteSchema(t *testing.T) {
	s := initialise(t, t.TempDir()+"/asterism.db", Options{})
	for _, f := range family.Standard().All() {
		create := strings.Join(strings.Fields(selected(t, s, "SELECT sql FROM sqlite_master WHERE name = ?", f.Name)[0]), " ")
		for _, c := range f.Columns {
			if c.Auto != strings.Contains(create, fmt.Sprintf("%q INTEGER PRIMARY KEY AUTOINCREMENT", c.Name)) {
				t.Errorf("%s: %s is not numbered as it should: %s", f.Name, c.Name, create)
			}
			declared := fmt.Sprintf("%q VARCHAR(%d)", c.Name, c.Length)
			if c.Length > 0 && !strings.Contains(create, declared) {
				t.Errorf("%s: no %s", f.Name, declared)
			}
			got := selected(t, s, "SELECT dflt_value FROM pragma_table_info(?) WHERE name = ?", f.Name, c.Name)[0]
			if want := defaultSQL(c); got != want {
				t.Errorf("%s: default of %s is %s, want %s", f.Name, c.Name, got, want)
			}
		}
	}
	f := func(table, fragment string) {
		t.Helper()
		create := strings.Join(strings.Fields(selected(t, s, "SELECT sql FROM sqlite_master WHERE name = ?", table)[0]), " ")
		if !strings.Contains(create, fragment) {
			t.Errorf("%s lacks %s: %s", table, fragment, create)
		}
	}
	f("queue_members", `"uniqueid" INTEGER PRIMARY KEY AUTOINCREMENT`)
	f("queue_members", `UNIQUE ("queue_name", "interface")`)
	f("meetme", `"members" INTEGER NOT NULL DEFAULT 0`)
	f("queue_rules", `"raise_penalty" VARCHAR(32)`)
	f("asterism_changes", `seq INTEGER PRIMARY KEY AUTOINCREMENT`)
}

func defaultSQL(c family.Column) string {
	switch {
	case c.Default == nil:
		return "NULL"
	case c.Kind.Numeric():
		return *c.Default
	}
	return "'" + *c.Default + "'"
}
