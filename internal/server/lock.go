package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"asterism/internal/failure"
)

// lockName is the file in the state folder that one serving node holds locked.
const lockName = "lock"

// lockState makes the state folder and takes its lock. wait is how long another
// process may take to let go (it is handing over); 0: not at all.
func lockState(ctx context.Context, state string, wait time.Duration) (*os.File, error) {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return nil, &failure.Error{Kind: failure.Invalid, Field: "node.state", Message: "make the state folder " + state, Hint: "set node.state to a folder that this user may write", Cause: err}
	}
	path := filepath.Join(state, lockName)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	ctx, cancel := context.WithTimeout(ctx, max(wait, time.Millisecond))
	defer cancel()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return file, nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, errors.Join(&failure.Error{
				Kind: failure.Unavailable, Message: "another node serves from " + state,
				Hint: "stop it, or start with --replace to take over from it without refusing a call",
			}, file.Close())
		}
	}
}
