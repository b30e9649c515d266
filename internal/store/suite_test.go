package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// suite is what every engine must do. Each function is given an open, empty
// store of its own.
var suite = map[string]func(*testing.T, *Store){
	"SchemaIsThatOfPackageFamily":             schemaIsThatOfPackageFamily,
	"TriggersLogOldAndNewKey":                 triggersLogOldAndNewKey,
	"KeysAreSpelledAlike":                     keysAreSpelledAlike,
	"TriggersAreMadeOnce":                     triggersAreMadeOnce,
	"ExtrasAreKept":                           extrasAreKept,
	"ExtrasGoWithTheirRow":                    extrasGoWithTheirRow,
	"ExtrasMoveWithTheirRow":                  extrasMoveWithTheirRow,
	"ExtrasStayWhileTheirBucketHasARow":       extrasStayWhileTheirBucketHasARow,
	"ReservedColumnNamesWork":                 reservedColumnNamesWork,
	"UpdateCountsMatchedRows":                 updateCountsMatchedRows,
	"UpdateTellsTheKeysToReadAgain":           updateTellsTheKeysToReadAgain,
	"ConditionsFollowTheDirectory":            conditionsFollowTheDirectory,
	"UnknownColumnInAConditionChangesNothing": unknownColumnInAConditionChangesNothing,
	"EmptyTextsAreNullWhereNoTextIs":          emptyTextsAreNullWhereNoTextIs,
	"PutKeepsOtherColumns":                    putKeepsOtherColumns,
	"FlushNotesItsPosition":                   flushNotesItsPosition,
	"FlushSetsRefusedWritesAside":             flushSetsRefusedWritesAside,
	"FlushOfAFamilyThatIsGoneIsRefused":       flushOfAFamilyThatIsGoneIsRefused,
	"FlushChangesOnlyWhatWasWritten":          flushChangesOnlyWhatWasWritten,
	"PruneTakesWhatAllLiveNodesApplied":       pruneTakesWhatAllLiveNodesApplied,
	"NumbersOfTheLogNeverRestart":             numbersOfTheLogNeverRestart,
	"LoadUpserts":                             loadUpserts,
	"LoadOfKeysThatAreNotUniqueCanRunAgain":   loadOfKeysThatAreNotUniqueCanRunAgain,
	"LoadIsAllOrNothing":                      loadIsAllOrNothing,
	"ReaderSeesOneMoment":                     readerSeesOneMoment,
	"BucketsAreReadByTheirKeys":               bucketsAreReadByTheirKeys,
	"AScanReadsEveryColumn":                   aScanReadsEveryColumn,
	"PendingCountsEntriesByFamily":            pendingCountsEntriesByFamily,
	"ATransactionThatFailsLeavesNothing":      aTransactionThatFailsLeavesNothing,
	"NodesAreNoted":                           nodesAreNoted,
}

func TestSQLite(t *testing.T) {
	for name, test := range suite {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, initialise(t, filepath.Join(t.TempDir(), "asterism.db"), Options{}))
		})
	}
}

// empty gives the bytes of an empty store's file, made once: under the race
// detector a migration takes a second.
var empty = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "asterism")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "asterism.db")
	s, err := Init(context.Background(), "sqlite:"+path, Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// initialise makes a store, unless there is one, and closes it at the test's end.
func initialise(t *testing.T, path string, options Options) *Store {
	t.Helper()
	begin := Init
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		file, err := empty()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		begin = Open
	}
	s, err := begin(t.Context(), "sqlite:"+path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// execute runs plain SQL, as an operator would.
func execute(t *testing.T, s *Store, statement string, arguments ...any) {
	t.Helper()
	if _, err := s.writes().ExecContext(t.Context(), statement, arguments...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// selected gives the rows of a query, their values joined by "|".
func selected(t *testing.T, s *Store, query string, arguments ...any) []string {
	t.Helper()
	rows, err := s.reads().QueryContext(t.Context(), query, arguments...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		targets := make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = v.String
			if !v.Valid {
				texts[i] = "NULL"
			}
		}
		out = append(out, strings.Join(texts, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// expect compares what a query gives.
func expect(t *testing.T, s *Store, query string, want ...string) {
	t.Helper()
	if got := selected(t, s, query); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: %q, want %q", query, got, want)
	}
}

func newest(t *testing.T, s *Store) int64 {
	t.Helper()
	reader, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	seq, _, err := reader.Position(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

// logged gives what the log got while do ran, as "family key".
func logged(t *testing.T, s *Store, do func()) []string {
	t.Helper()
	before := newest(t, s)
	do()
	reader, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	changes, err := reader.Changes(t.Context(), before, 1000)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, c := range changes {
		out = append(out, c.Family+" "+c.Key)
	}
	return out
}

func familyOf(t *testing.T, s *Store, name string) *family.Family {
	t.Helper()
	f, err := s.Family(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// textsOf reads "column=text" pairs.
func textsOf(pairs ...string) []Text {
	out := make([]Text, len(pairs))
	for i, pair := range pairs {
		out[i].Column, out[i].Text, _ = strings.Cut(pair, "=")
	}
	return out
}

// conditionsOf reads "column operator value" words; "_" in an operator is a blank.
func conditionsOf(t *testing.T, words ...string) []directory.Condition {
	t.Helper()
	out := make([]directory.Condition, len(words))
	for i, text := range words {
		parts := strings.SplitN(text, " ", 3)
		op, ok := directory.ParseOp([]byte(strings.ReplaceAll(parts[1], "_", " ")))
		if !ok {
			t.Fatalf("no operator in %q", text)
		}
		out[i] = directory.Condition{Column: []byte(parts[0]), Op: op, Value: []byte(parts[2])}
	}
	return out
}

func put(t *testing.T, s *Store, name string, pairs ...string) {
	t.Helper()
	err := s.Write(t.Context(), "put", func(w *Writer) error {
		_, err := w.Put(t.Context(), familyOf(t, s, name), textsOf(pairs...))
		return err
	})
	if err != nil {
		t.Fatalf("put %q: %v", pairs, err)
	}
}

// update changes rows and gives the keys to read again, joined by ",", and the
// number of rows that matched.
func update(t *testing.T, s *Store, name string, conditions []directory.Condition, pairs ...string) (keys []string, matched int, err error) {
	t.Helper()
	err = s.Write(t.Context(), "update", func(w *Writer) error {
		found, n, err := w.Update(t.Context(), familyOf(t, s, name), conditions, textsOf(pairs...))
		for _, key := range found {
			keys = append(keys, strings.Join(key, ","))
		}
		matched = n
		return err
	})
	return keys, matched, err
}

// collector keeps what a Reader reads as "column=text" pairs, NULL and empty
// texts left out, extras last.
type collector struct {
	names []string
	rows  []string
}

func (c *collector) Columns(names []string) { c.names = slices.Clone(names) }

func (c *collector) Row(texts []sql.RawBytes, extra map[string]string) error {
	var pairs []string
	for i, text := range texts {
		if len(text) > 0 {
			pairs = append(pairs, c.names[i]+"="+string(text))
		}
	}
	var more []string
	for name, text := range extra {
		more = append(more, "+"+name+"="+text)
	}
	slices.Sort(more)
	c.rows = append(c.rows, strings.Join(append(pairs, more...), " "))
	return nil
}

// all reads a family as collector shows it, sorted.
func all(t *testing.T, s *Store, name string) []string {
	t.Helper()
	scan, err := s.Scan()
	if err != nil {
		t.Fatal(err)
	}
	defer scan.Close()
	var into collector
	if err := scan.All(t.Context(), familyOf(t, s, name), &into); err != nil {
		t.Fatal(err)
	}
	slices.Sort(into.rows)
	return into.rows
}

func expectAll(t *testing.T, s *Store, name string, want ...string) {
	t.Helper()
	if got := all(t, s, name); !slices.Equal(got, want) {
		t.Errorf("%s:\n%q, want\n%q", name, got, want)
	}
}

func numbered(n int) string { return fmt.Sprintf("%05d", n) }
