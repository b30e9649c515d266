package control

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
	"asterism/internal/meter"
	"asterism/internal/store"
)

// Feed is what control needs of the follower.
type Feed interface {
	Reread(ctx context.Context, name string, keys [][]string) error
}

// Spool is what control needs of the spool.
type Spool interface {
	Write(ctx context.Context, writes ...directory.Write) error
	Settle(ctx context.Context, name string) error
	WasExpired(name string, key []string) bool
}

// straightTimeout is how long a write waits for SQL before Asterisk hears -1.
const straightTimeout = 5 * time.Second

// Asterisk does what Asterisk asks to be changed.
type Asterisk struct {
	Directory *directory.Directory
	SQL       *store.Store
	Feed      Feed
	Spool     Spool
	Log       *slog.Logger
	Strict    bool // require refuses unknown columns

	UnknownColumns *meter.Vector // by family
	down           atomic.Bool
	once           meter.Once
}

// Update gives the values to all matching rows and tells how many match.
func (a *Asterisk) Update(ctx context.Context, name string, conditions []directory.Condition, values []directory.Value) (int, error) {
	table, err := a.table(name)
	if err != nil {
		return 0, err
	}
	if err := writable(table, conditions); err != nil {
		return 0, err
	}
	values = a.canonical(table, values)
	if matched, ok := a.volatileRows(table, conditions, values); ok {
		return len(matched), a.spool(ctx, table, matched, directory.Change, values)
	}
	f := table.Family()
	return a.straight(ctx, f, func(ctx context.Context, w *store.Writer) ([][]string, int, error) {
		return w.Update(ctx, f, conditions, store.Texts(f, values))
	})
}

// Store makes a row exist with the values.
func (a *Asterisk) Store(ctx context.Context, name string, values []directory.Value) (int, error) {
	table, err := a.table(name)
	if err != nil {
		return 0, err
	}
	f := table.Family()
	values = a.canonical(table, values)
	if f.AppendOnly {
		return 1, a.Spool.Write(ctx, directory.Write{Family: f.Name, Kind: directory.Append, Values: values})
	}
	if !f.VolatileRows() {
		return a.straight(ctx, f, func(ctx context.Context, w *store.Writer) ([][]string, int, error) {
			key, err := w.Put(ctx, f, store.Texts(f, values))
			return [][]string{key}, 1, err
		})
	}
	key, err := keyOf(f, values)
	if err != nil {
		return 0, err
	}
	return 1, a.Spool.Write(ctx, directory.Write{Family: f.Name, Key: key, Kind: directory.Put, Values: values})
}

// Destroy deletes the matching rows and tells how many matched. A contact that
// expired counts, also when it was deleted for that a short while ago: each
// Asterisk node expires it by itself, and one that hears 0 keeps a stale status.
func (a *Asterisk) Destroy(ctx context.Context, name string, conditions []directory.Condition) (int, error) {
	table, err := a.table(name)
	if err != nil {
		return 0, err
	}
	if err := writable(table, conditions); err != nil {
		return 0, err
	}
	f := table.Family()
	if !f.VolatileRows() {
		return a.straight(ctx, f, func(ctx context.Context, w *store.Writer) ([][]string, int, error) {
			keys, err := w.Delete(ctx, f, conditions)
			return keys, len(keys), err
		})
	}
	matched := match(table, conditions)
	if len(matched) > 0 {
		return len(matched), a.spool(ctx, table, matched, directory.Delete, nil)
	}
	if key, ok := keyAsked(f, conditions); ok && a.Spool.WasExpired(f.Name, key) {
		return 1, nil
	}
	return 0, nil
}

// Require tells whether a family has the columns; strict mode only refuses.
func (a *Asterisk) Require(name string, columns []string) bool {
	table, err := a.table(name)
	if err != nil {
		return false
	}
	if !a.Strict {
		return true
	}
	for _, column := range columns {
		if _, ok := table.Columns().Find([]byte(column)); !ok {
			return false
		}
	}
	return true
}

func (a *Asterisk) table(name string) (*directory.Table, error) {
	if table := a.Directory.View().Table([]byte(name)); table != nil {
		return table, nil
	}
	return nil, &failure.Error{Kind: failure.Unknown, Field: "family", Message: fmt.Sprintf("no family %q", name)}
}

// writable refuses what can't be updated or deleted: log families, no
// condition, a condition on an unknown column (it is never ignored).
func writable(table *directory.Table, conditions []directory.Condition) error {
	name := table.Family().Name
	if table.Family().AppendOnly {
		return &failure.Error{Kind: failure.Invalid, Message: name + " only takes new rows"}
	}
	if len(conditions) == 0 {
		return &failure.Error{Kind: failure.Invalid, Message: "a write to " + name + " without a condition"}
	}
	for _, c := range conditions {
		if _, ok := table.Columns().Find(c.Column); !ok {
			return &failure.Error{Kind: failure.Unknown, Field: string(c.Column), Message: fmt.Sprintf("%s has no column %q", name, c.Column)}
		}
	}
	return nil
}

// canonical spells columns as the table does, and notes those it lacks.
func (a *Asterisk) canonical(table *directory.Table, values []directory.Value) []directory.Value {
	f := table.Family()
	for i, v := range values {
		if _, ok := f.Position(v.Column); ok {
			continue
		}
		if at, ok := table.Columns().Find([]byte(v.Column)); ok {
			values[i].Column = table.Columns().Name(at)
		}
		if _, ok := f.Position(values[i].Column); !ok {
			a.noteUnknown(f, v.Column)
		}
	}
	return values
}

// noteUnknown counts and logs a column that a table lacks, once for each, not
// once for each of the many writes that bring it.
func (a *Asterisk) noteUnknown(f *family.Family, column string) {
	if !a.once.First(f.Name + "." + column) {
		return
	}
	a.UnknownColumns.With(f.Name).Add(1)
	kept := "its values are kept in asterism_extra"
	if f.AppendOnly {
		kept = "its values are dropped"
	}
	a.Log.Warn("Asterisk writes a column that the table lacks: "+kept, "family", f.Name, "column", column,
		"hint", "ALTER TABLE "+f.Name+" ADD COLUMN when you want it in SQL")
}
