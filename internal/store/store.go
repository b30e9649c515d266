package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"

	"asterism/internal/failure"
	"asterism/internal/family"
)

// Options say which tables are families beyond the standard ones.
type Options struct {
	Extra   []string            // tables of the operator's own
	Indexes map[string][]string // family -> "a,b": one more index in memory
}

// Store is an open store with a schema of this program's version.
type Store struct {
	path     string
	options  Options
	open     atomic.Pointer[connections]
	families atomic.Pointer[[]*family.Family]
}

func newStore(path string, options Options) (*Store, error) {
	c, err := connect(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, options: options}
	s.open.Store(c)
	return s, nil
}

func (s *Store) writes() *sql.DB { return s.open.Load().writes }

func (s *Store) reads() *sql.DB { return s.open.Load().reads }

// Open opens a store that Init made. It refuses one without, or with an older,
// schema and names the remedy.
func Open(ctx context.Context, url string, options Options) (*Store, error) {
	path, err := sqlitePath(url)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, &failure.Error{
			Kind: failure.Outdated, Message: "no database at " + path,
			Hint: "put it back where there was one (a node goes on from memory); for a new store run: asterism init",
		}
	}
	s, err := newStore(path, options)
	if err != nil {
		return nil, err
	}
	if err := s.ready(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.requireExtra(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) ready(ctx context.Context) error {
	pending, err := s.pendingMigrations(ctx)
	if err != nil {
		return err
	}
	if pending {
		return &failure.Error{Kind: failure.Outdated, Message: "the schema of " + s.path + " is older than this program", Hint: "run: asterism init"}
	}
	s.open.Load().noteWAL(s.path)
	return s.Describe(ctx)
}

// Init creates the store, or migrates an older one. It may run again and again.
func Init(ctx context.Context, url string, options Options) (*Store, error) {
	path, err := sqlitePath(url)
	if err != nil {
		return nil, err
	}
	if err := createPrivate(path); err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	s, err := newStore(path, options)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("migrate %s: %w", path, err), s.Close())
	}
	if err := s.ready(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.requireExtra(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.EnsureTriggers(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close closes the connections.
func (s *Store) Close() error { return s.open.Load().close() }

// Path is the file of the store.
func (s *Store) Path() string { return s.path }

// Families gives the families with the columns that their tables really have.
func (s *Store) Families() []*family.Family { return *s.families.Load() }

// Family finds one by name or alias.
func (s *Store) Family(name string) (*family.Family, error) {
	name = family.Resolve(name)
	names := make([]string, 0, 64)
	for _, f := range s.Families() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, &failure.Error{
		Kind: failure.Unknown, Field: "family", Message: fmt.Sprintf("no family %q", name),
		Hint: "families are " + strings.Join(names, ", "),
	}
}

// Describe reads which columns the families' tables have. A family without a
// table is left out.
func (s *Store) Describe(ctx context.Context) error {
	var out []*family.Family
	for _, f := range family.Standard().All() {
		columns, _, err := s.tableColumns(ctx, f.Name)
		if err != nil {
			return err
		}
		if len(columns) == 0 {
			continue
		}
		described := f.WithColumns(columns)
		if !described.HasColumns(f.Key) {
			return &failure.Error{
				Kind: failure.Invalid, Field: f.Name, Message: fmt.Sprintf("table %s of %s lacks a column of its key (%s)", f.Name, s.path, strings.Join(f.Key, ", ")),
				Hint: "add the column, or rename the table: a family of that name needs it",
			}
		}
		out = append(out, s.indexed(described))
	}
	for _, name := range s.options.Extra {
		columns, primary, err := s.tableColumns(ctx, name)
		if err != nil {
			return err
		}
		if len(columns) > 0 {
			out = append(out, s.indexed(family.New(name, columns, primary)))
		}
	}
	s.families.Store(&out)
	return nil
}

// requireExtra refuses a store without a table that the config names.
func (s *Store) requireExtra() error {
	for _, name := range s.options.Extra {
		if _, err := s.Family(name); err != nil {
			return &failure.Error{
				Kind: failure.Unknown, Field: "families.extra", Message: "no table " + name + " in " + s.path,
				Hint: "create it, or take it out of families.extra",
			}
		}
	}
	return nil
}

func (s *Store) indexed(f *family.Family) *family.Family {
	for _, list := range s.options.Indexes[f.Name] {
		columns := strings.Split(list, ",")
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		if f.HasColumns(columns) {
			f = f.WithIndex(columns)
		}
	}
	return f
}

// quote gives a name as an SQL identifier.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quoteAll(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quote(name)
	}
	return strings.Join(out, ", ")
}
