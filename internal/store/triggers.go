package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"asterism/internal/family"
)

// trigger is one trigger that writes the change log.
type trigger struct{ name, create string }

// keySQL gives the expression of a row's key, as family.AppendKey spells it.
func keySQL(f *family.Family, row string) string {
	parts := make([]string, len(f.Key))
	for i, name := range f.Key {
		parts[i] = fmt.Sprintf("CAST(coalesce(%s.%s, '') AS TEXT)", row, quote(name))
	}
	return "json_array(" + strings.Join(parts, ", ") + ")"
}

// triggersOf gives the triggers of a family's table. Old and new key are both
// logged unless their bytes are equal; extras go and move with their row.
func triggersOf(f *family.Family) []trigger {
	const now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
	logKey := func(key string) string {
		return fmt.Sprintf("INSERT INTO asterism_changes (family, row_key, at) VALUES ('%s', %s, %s);", f.Name, key, now)
	}
	older, newer := keySQL(f, "OLD"), keySQL(f, "NEW")
	make := func(event, body string) trigger {
		name := "asterism_" + f.Name + "_" + strings.ToLower(event)
		return trigger{name, fmt.Sprintf("CREATE TRIGGER %s AFTER %s ON %s BEGIN %s END", quote(name), event, quote(f.Name), body)}
	}
	dropExtra := fmt.Sprintf("DELETE FROM asterism_extra WHERE family = '%s' AND row_key = %s AND NOT EXISTS (SELECT 1 FROM %s WHERE %s);",
		f.Name, older, quote(f.Name), sameKeySQL(f))
	moved := fmt.Sprintf("%s <> %s", older, newer)
	update := logKey(newer) +
		fmt.Sprintf(" INSERT INTO asterism_changes (family, row_key, at) SELECT '%s', %s, %s WHERE %s;", f.Name, older, now, moved) +
		fmt.Sprintf(" INSERT OR REPLACE INTO asterism_extra (family, row_key, col, value) SELECT family, %s, col, value FROM asterism_extra WHERE family = '%s' AND row_key = %s AND %s; ",
			newer, f.Name, older, moved) + dropExtra
	return []trigger{make("INSERT", logKey(newer)), make("UPDATE", update), make("DELETE", logKey(older)+" "+dropExtra)}
}

// sameKeySQL compares a table's key columns with those of OLD.
func sameKeySQL(f *family.Family) string {
	if len(f.Key) == 0 {
		return "1"
	}
	parts := make([]string, len(f.Key))
	for i, name := range f.Key {
		parts[i] = fmt.Sprintf("%s IS OLD.%s", quote(name), quote(name))
	}
	return strings.Join(parts, " AND ")
}

// extraTriggers log the row that an extra value extends.
func extraTriggers() []trigger {
	var out []trigger
	for event, row := range map[string]string{"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"} {
		name := "asterism_extra_" + strings.ToLower(event)
		out = append(out, trigger{name, fmt.Sprintf(`CREATE TRIGGER "%s" AFTER %s ON asterism_extra BEGIN INSERT INTO asterism_changes (family, row_key, at) `+
			`VALUES (%s.family, %s.row_key, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)); END`, name, event, row, row)})
	}
	return out
}

// EnsureTriggers creates the triggers that are missing or read differently from
// what they should, in one transaction.
func (s *Store) EnsureTriggers(ctx context.Context) error {
	wanted := extraTriggers()
	for _, f := range s.Families() {
		if !f.AppendOnly {
			wanted = append(wanted, triggersOf(f)...)
		}
	}
	existing, err := s.existingTriggers(ctx)
	if err != nil {
		return err
	}
	wanted = slices.DeleteFunc(wanted, func(t trigger) bool { return existing[t.name] == t.create })
	if len(wanted) == 0 {
		return nil // nor wait for the write lock
	}
	tx, err := s.writes().BeginTx(ctx, nil)
	if err != nil {
		return classify(err, "create triggers")
	}
	defer func() { _ = tx.Rollback() }() // after Commit a no-op
	for _, t := range wanted {
		if _, err := tx.ExecContext(ctx, "DROP TRIGGER IF EXISTS "+quote(t.name)); err != nil {
			return classify(err, "drop trigger "+t.name)
		}
		if _, err := tx.ExecContext(ctx, t.create); err != nil {
			return classify(err, "create trigger "+t.name)
		}
	}
	return classify(tx.Commit(), "create triggers")
}

func (s *Store) existingTriggers(ctx context.Context) (map[string]string, error) {
	rows, err := s.reads().QueryContext(ctx, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'asterism\_%' ESCAPE '\'`)
	if err != nil {
		return nil, classify(err, "read the triggers")
	}
	defer rows.Close()
	out := make(map[string]string)
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, classify(err, "read the triggers")
		}
		out[name] = text
	}
	return out, rows.Err()
}

// SchemaVersion changes with every change of tables or triggers by anybody.
func (s *Store) SchemaVersion(ctx context.Context) (version int64, err error) {
	err = s.reads().QueryRowContext(ctx, "PRAGMA schema_version").Scan(&version)
	return version, classify(err, "read the schema version")
}
