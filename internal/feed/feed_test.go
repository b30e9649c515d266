package feed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/store"
)

// patience bounds each wait of a test.
const patience = 30 * time.Second

// empty gives the bytes of an empty store's file, made once: under the race
// detector a migration takes a second.
var empty = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "asterism")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "asterism.db")
	s, err := store.Init(context.Background(), "sqlite:"+path, store.Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// followed is a store with its follower, and a connection of another program.
type followed struct {
	path      string
	store     *store.Store
	directory *directory.Directory
	feed      *Feed
	outside   *sql.DB
}

// follow makes a store, runs the statements in it and loads it.
func follow(t *testing.T, statements ...string) *followed {
	t.Helper()
	r := unloaded(t, store.Options{}, statements...)
	r.load(t)
	return r
}

func unloaded(t *testing.T, options store.Options, statements ...string) *followed {
	t.Helper()
	r := &followed{path: filepath.Join(t.TempDir(), "asterism.db")}
	writeEmpty(t, r.path)
	r.outside = outside(t, r.path)
	r.exec(t, statements...)
	s, err := store.Open(t.Context(), "sqlite:"+r.path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r.store = s
	r.directory = directory.New(s.Families(), nil)
	r.feed = New(s, r.directory, slog.New(slog.NewTextHandler(t.Output(), nil)))
	return r
}

func writeEmpty(t *testing.T, path string) {
	t.Helper()
	file, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
}

// outside connects to a store as another program does.
func outside(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func (r *followed) exec(t *testing.T, statements ...string) {
	t.Helper()
	if err := r.try(statements...); err != nil {
		t.Fatal(err)
	}
}

// try is exec for goroutines beside the test's own.
func (r *followed) try(statements ...string) error {
	for _, statement := range statements {
		if _, err := r.outside.Exec(statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

func (r *followed) load(t *testing.T) {
	t.Helper()
	if err := r.feed.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// run follows until the test's end.
func (r *followed) run(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var task sync.WaitGroup
	task.Go(func() { r.feed.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		task.Wait()
	})
}

func (r *followed) catchUp(t *testing.T) {
	t.Helper()
	if err := r.feed.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// look is what Run does every lookEvery.
func (r *followed) look(t *testing.T) {
	t.Helper()
	watch, err := r.feed.look(t.Context(), nil)
	closeWatch(watch)
	if err != nil {
		t.Fatal(err)
	}
}

// wait returns once all that is in the log now is published.
func (r *followed) wait(t *testing.T) {
	t.Helper()
	newest, err := r.feed.position(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := r.feed.Wait(ctx, newest); err != nil {
		t.Fatalf("entry %d is not published; %d is (%v)", newest, r.feed.State().Applied, err)
	}
}

// soon waits until a condition holds.
func soon(t *testing.T, what string, holds func() bool) {
	t.Helper()
	within(t, patience, what, holds)
}

func within(t *testing.T, patience time.Duration, what string, holds func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// equal compares memory with SQL, family by family.
func (r *followed) equal(t *testing.T) {
	t.Helper()
	if differing := r.differing(t); len(differing) > 0 {
		t.Errorf("memory differs from SQL in %q", differing)
	}
}

func (r *followed) differing(t *testing.T) (out []string) {
	t.Helper()
	inSQL := digestsOfSQL(t, r.store)
	for name, want := range inSQL {
		if got := r.directory.View().Table([]byte(name)).Digest(0); got != want {
			out = append(out, fmt.Sprintf("%s: %v, SQL has %v", name, got, want))
		}
	}
	slices.Sort(out)
	return out
}

func digestsOfSQL(t *testing.T, s *store.Store) map[string]directory.Digest {
	t.Helper()
	scan, err := s.Scan()
	if err != nil {
		t.Fatal(err)
	}
	defer scan.Close()
	out := make(map[string]directory.Digest)
	for _, f := range s.Families() {
		if f.AppendOnly {
			continue
		}
		into := &summing{family: f, digest: directory.Digest{Family: f.Name}, extra: make(map[string]bool)}
		if err := scan.All(t.Context(), f, into); err != nil {
			t.Fatal(err)
		}
		out[f.Name] = into.digest
	}
	return out
}

// summing sums up what a Scan reads.
type summing struct {
	family  *family.Family
	digest  directory.Digest
	names   []string
	extra   map[string]bool
	columns *directory.Columns
	builder *directory.Builder
}

func (s *summing) Columns(names []string) { s.names = slices.Clone(names) }

func (s *summing) Row(texts []sql.RawBytes, extra map[string]string) error {
	known := len(s.extra)
	for name := range extra {
		s.extra[name] = true
	}
	if s.columns == nil || len(s.extra) > known {
		s.columns = directory.NewColumns(s.family, slices.Sorted(maps.Keys(s.extra)))
		s.builder = directory.NewBuilder(s.columns)
	}
	add := func(name string, text []byte) error {
		at, ok := s.columns.Position(name)
		if !ok {
			return errors.New("no column " + name)
		}
		s.builder.AddSQL(at, text)
		return nil
	}
	for i, text := range texts {
		if err := add(s.names[i], text); err != nil {
			return err
		}
	}
	for name, text := range extra {
		if err := add(name, []byte(text)); err != nil {
			return err
		}
	}
	s.digest.Add(s.builder.Row())
	return nil
}

// rows gives the curl form of a family's rows, sorted.
func (r *followed) rows(name string) []string {
	out := []string{}
	r.directory.View().Table([]byte(name)).Each(func(row directory.Row) bool {
		out = append(out, row.Curl())
		return true
	})
	slices.Sort(out)
	return out
}

func (r *followed) expect(t *testing.T, name string, want ...string) {
	t.Helper()
	if got := r.rows(name); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}
