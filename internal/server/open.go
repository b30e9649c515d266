package server

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"asterism/internal/config"
	"asterism/internal/store"
)

// openStore opens the store of a config. Where the default SQLite store has no
// file yet it does what init does.
func openStore(ctx context.Context, cfg config.Config) (*store.Store, error) {
	options := store.Options{Extra: cfg.Families.Extra, Indexes: cfg.Families.Index}
	path, isSQLite := strings.CutPrefix(cfg.Store.URL, "sqlite:")
	if isSQLite && cfg.Store.URL == config.Default().Store.URL {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return nil, err
			}
			return store.Init(ctx, cfg.Store.URL, options)
		}
	}
	return store.Open(ctx, cfg.Store.URL, options)
}
