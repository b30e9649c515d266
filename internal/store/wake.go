package store

import (
	"context"
	"database/sql"
)

// Watch tells cheaply whether anybody wrote to the store. It is for one
// goroutine.
type Watch struct {
	connection *sql.Conn
	version    int64
}

// Watch takes a connection of its own for the purpose.
func (s *Store) Watch(ctx context.Context) (*Watch, error) {
	connection, err := s.reads().Conn(ctx)
	if err != nil {
		return nil, classify(err, "watch "+s.path)
	}
	return &Watch{connection: connection, version: -1}, nil
}

// Changed tells whether anybody committed since the last call.
func (w *Watch) Changed(ctx context.Context) (bool, error) {
	var version int64
	if err := w.connection.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version); err != nil {
		return false, classify(err, "watch the store")
	}
	changed := version != w.version
	w.version = version
	return changed, nil
}

// Close gives the connection back.
func (w *Watch) Close() error { return w.connection.Close() }
