package server

import (
	"context"
	"errors"
	"log/slog"

	"asterism/internal/config"
)

// Options are what a node needs beside its config.
type Options struct {
	Log     *slog.Logger
	Version string
	Replace bool                          // take over from the node that serves this state folder now
	Reload  func() (config.Config, error) // reads the config again; nil: reload keeps it
	Ready   func(Addresses)               // called once the doors answer
}

// Addresses are where the doors really listen.
type Addresses struct {
	Asterisk string
	People   string
}

// Serve runs a node until the context ends (then it drains) or another node
// takes over. Without a database at the default place it does what init does.
func Serve(ctx context.Context, cfg config.Config, o Options) error {
	return errors.New("not assembled yet")
}
