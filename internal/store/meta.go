package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
)

// Node is what the store knows of one node.
type Node struct {
	Name    string
	Address string
	Version string
	Applied int64 // newest change that it has published
	SeenAt  int64 // epoch seconds
}

// Heartbeat notes that a node lives and what it has applied.
func (s *Store) Heartbeat(ctx context.Context, n Node) error {
	_, err := s.writes().ExecContext(ctx, `INSERT INTO asterism_nodes (name, address, version, applied, seen_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET address = excluded.address, version = excluded.version, applied = excluded.applied, seen_at = excluded.seen_at`,
		n.Name, n.Address, n.Version, n.Applied, n.SeenAt)
	return classify(err, "note node "+n.Name)
}

// Farewell takes a node that ends out of the list.
func (s *Store) Farewell(ctx context.Context, name string) error {
	_, err := s.writes().ExecContext(ctx, "DELETE FROM asterism_nodes WHERE name = ?", name)
	return classify(err, "take node "+name+" out")
}

// Nodes gives what the store knows of all nodes, by name.
func (s *Store) Nodes(ctx context.Context) ([]Node, error) {
	rows, err := s.reads().QueryContext(ctx, "SELECT name, address, version, applied, seen_at FROM asterism_nodes ORDER BY name")
	if err != nil {
		return nil, classify(err, "read the nodes")
	}
	defer rows.Close()
	var out []Node
	for rows.Next() {
		var n Node
		if err := rows.Scan(&n.Name, &n.Address, &n.Version, &n.Applied, &n.SeenAt); err != nil {
			return nil, classify(err, "read the nodes")
		}
		out = append(out, n)
	}
	return out, classify(rows.Err(), "read the nodes")
}

// prunedAtOnce bounds one pruning transaction: the write lock is everybody's.
const prunedAtOnce = 1000

// Prune deletes the oldest entries of the change log that every node seen since
// liveSince has applied, at most prunedAtOnce of them, and tells how many.
func (s *Store) Prune(ctx context.Context, liveSince int64) (int, error) {
	tx, err := s.writes().BeginTx(ctx, nil)
	if err != nil {
		return 0, classify(err, "prune the change log")
	}
	defer func() { _ = tx.Rollback() }() // after Commit a no-op
	var applied sql.NullInt64
	if err := tx.QueryRowContext(ctx, "SELECT min(applied) FROM asterism_nodes WHERE seen_at >= ?", liveSince).Scan(&applied); err != nil {
		return 0, classify(err, "prune the change log")
	}
	var last sql.NullInt64
	err = tx.QueryRowContext(ctx, "SELECT max(seq) FROM (SELECT seq FROM asterism_changes WHERE seq <= ? ORDER BY seq LIMIT ?)", applied.Int64, prunedAtOnce).Scan(&last)
	if err != nil || !last.Valid {
		return 0, classify(err, "prune the change log")
	}
	result, err := tx.ExecContext(ctx, "DELETE FROM asterism_changes WHERE seq <= ?", last.Int64)
	if err != nil {
		return 0, classify(err, "prune the change log")
	}
	if err := putMeta(ctx, tx, "pruned_to", strconv.FormatInt(last.Int64, 10)); err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, classify(err, "prune the change log")
	}
	return int(n), classify(tx.Commit(), "prune the change log")
}

func putMeta(ctx context.Context, tx *sql.Tx, name, value string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO asterism_meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
	return classify(err, "note "+name)
}

// Meta gives a noted value, "" when there is none.
func (s *Store) Meta(ctx context.Context, name string) (value string, err error) {
	err = s.reads().QueryRowContext(ctx, "SELECT value FROM asterism_meta WHERE name = ?", name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, classify(err, "read "+name)
}
