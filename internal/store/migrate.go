package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

//go:embed migrations/sqlite/*.sql
var migrations embed.FS

// versionTable is where goose notes which migrations a store has.
const versionTable = "asterism_schema"

func (s *Store) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/sqlite")
	if err != nil {
		return nil, err
	}
	versions, err := database.NewStore(database.DialectSQLite3, versionTable)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider("", s.writes(), files, goose.WithStore(versions))
}

func (s *Store) migrate(ctx context.Context) error {
	provider, err := s.provider()
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// pendingMigrations tells whether Init has something to do.
func (s *Store) pendingMigrations(ctx context.Context) (bool, error) {
	var tables int
	err := s.reads().QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?`, versionTable).Scan(&tables)
	if err != nil {
		return false, fmt.Errorf("read the schema of %s: %w", s.path, err)
	}
	if tables == 0 {
		return true, nil
	}
	files, err := fs.Glob(migrations, "migrations/sqlite/*.sql")
	if err != nil {
		return false, err
	}
	var applied int
	err = s.reads().QueryRowContext(ctx, `SELECT max(version_id) FROM `+versionTable+` WHERE is_applied`).Scan(&applied)
	if err != nil {
		return false, fmt.Errorf("read the version of %s: %w", s.path, err)
	}
	return applied < len(files), nil
}
