-- Asterism's own tables: the change log, columns that a table lacks, what is known of the nodes.
-- +goose Up
-- One entry for each changed row, by key; AUTOINCREMENT so that seq never restarts after pruning.
CREATE TABLE IF NOT EXISTS asterism_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  family TEXT NOT NULL,
  row_key TEXT NOT NULL,
  at INTEGER NOT NULL -- milliseconds since 1970
);
-- Columns that a newer Asterisk wrote and the family's table lacks.
CREATE TABLE IF NOT EXISTS asterism_extra (
  family TEXT NOT NULL, row_key TEXT NOT NULL, col TEXT NOT NULL, value TEXT,
  PRIMARY KEY (family, row_key, col)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asterism_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asterism_nodes (
  name TEXT PRIMARY KEY, address TEXT NOT NULL, version TEXT NOT NULL, applied INTEGER NOT NULL, seen_at INTEGER NOT NULL
) WITHOUT ROWID;
INSERT OR IGNORE INTO asterism_meta (name, value) VALUES ('pruned_to', '0');
