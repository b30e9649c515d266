package control

import (
	"context"
	"fmt"
	"slices"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
	"asterism/internal/store"
)

// match gives the rows that satisfy the conditions, expired ones too: a write
// is no question.
func match(table *directory.Table, conditions []directory.Condition) (rows []directory.Row) {
	table.Find(directory.Query{Conditions: conditions}, func(r directory.Row) bool {
		rows = append(rows, r)
		return true
	})
	return rows
}

// volatileRows gives the matching rows when the write may go through the spool:
// every column is volatile, none is part of the key, and the rows are all of
// their buckets, since an overlay lies over whole buckets.
func (a *Asterisk) volatileRows(table *directory.Table, conditions []directory.Condition, values []directory.Value) ([]directory.Row, bool) {
	f := table.Family()
	for _, v := range values {
		if !f.Volatile(v.Column) || isKey(f, v.Column) {
			return nil, false
		}
	}
	rows := match(table, conditions)
	inBucket := make(map[string]int, len(rows))
	for _, r := range rows {
		inBucket[string(family.AppendKey(nil, table.KeyOf(r)...))]++
	}
	for _, r := range rows {
		key := table.KeyOf(r)
		if len(table.Bucket(key)) != inBucket[string(family.AppendKey(nil, key...))] {
			return nil, false
		}
	}
	return rows, true
}

func isKey(f *family.Family, column string) bool {
	return slices.Contains(f.Key, column)
}

// spool hands over one write per bucket of the rows.
func (a *Asterisk) spool(ctx context.Context, table *directory.Table, rows []directory.Row, kind directory.WriteKind, values []directory.Value) error {
	var writes []directory.Write
	seen := make(map[string]bool, len(rows))
	for _, r := range rows {
		key := table.KeyOf(r)
		id := string(family.AppendKey(nil, key...))
		if seen[id] {
			continue
		}
		seen[id] = true
		writes = append(writes, directory.Write{Family: table.Family().Name, Key: key, Kind: kind, Values: values})
	}
	if len(writes) == 0 {
		return nil
	}
	return a.Spool.Write(ctx, writes...)
}

// keyOf takes the key out of the values of a new row.
func keyOf(f *family.Family, values []directory.Value) ([]string, error) {
	key := make([]string, len(f.Key))
	for i, name := range f.Key {
		for _, v := range values {
			if v.Column == name && len(v.Values) == 1 {
				key[i] = v.Values[0]
			}
		}
		if key[i] == "" {
			return nil, &failure.Error{Kind: failure.Invalid, Field: name, Message: fmt.Sprintf("a row of %s without %s", f.Name, name)}
		}
	}
	return key, nil
}

// keyAsked gives the key that conditions name by equality.
func keyAsked(f *family.Family, conditions []directory.Condition) ([]string, bool) {
	key := make([]string, len(f.Key))
	for i, name := range f.Key {
		found := false
		for _, c := range conditions {
			if c.Op == directory.Equal && string(c.Column) == name {
				key[i], found = string(c.Value), true
			}
		}
		if !found {
			return nil, false
		}
	}
	return key, len(key) > 0
}

// straight changes SQL and returns when this node's readers see it. What waits in
// the spool for the family goes first: it is older, and the change's conditions
// may ask for it.
func (a *Asterisk) straight(ctx context.Context, f *family.Family, change func(context.Context, *store.Writer) (keys [][]string, matched int, err error)) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, straightTimeout)
	defer cancel()
	if err := a.Spool.Settle(ctx, f.Name); err != nil {
		return 0, a.note(err)
	}
	var keys [][]string
	matched := 0
	err := a.SQL.Write(ctx, "write "+f.Name, func(w *store.Writer) (err error) {
		keys, matched, err = change(ctx, w)
		return err
	})
	if a.note(err) != nil {
		return 0, err
	}
	// It is committed: the answer counts it even if reading back must wait for
	// the follower.
	if err := a.Feed.Reread(ctx, f.Name, keys); err != nil {
		a.Log.Warn("a written row can't be read back yet", "family", f.Name, "error", err)
	}
	return matched, nil
}

// note remembers whether SQL takes writes, and gives the error back.
func (a *Asterisk) note(err error) error {
	a.down.Store(failure.KindOf(err) == failure.Unavailable && err != nil)
	return err
}

// Down tells whether the last write that needed SQL found it unable to take it.
func (a *Asterisk) Down() bool { return a.down.Load() }
