package store

import (
	"context"
	"errors"
	"os"
)

// noCheckpoint keeps an append from also copying the write-ahead log into the
// file, which costs two more fsyncs now and then.
const noCheckpoint = "wal_autocheckpoint(0)"

// Sizes of the journal's write-ahead log, in bytes.
const (
	checkpointFrom = 4 << 20  // from here it is copied into the file beside appends
	restartFrom    = 32 << 20 // from here appends wait until it starts anew
)

// Forget drops entries up to a position: they are in SQL. Losing the deletion in
// a crash costs nothing (the store knows the position), so it is not synced; it
// is worth a copy of the log into the file now and then.
func (j *Journal) Forget(ctx context.Context, upTo int64) error {
	attempted := "clear " + j.path
	if err := j.forget(ctx, upTo); err != nil {
		return classify(err, attempted)
	}
	return classify(j.checkpoint(ctx), attempted)
}

func (j *Journal) forget(ctx context.Context, upTo int64) error {
	if _, err := j.upkeep.ExecContext(ctx, "PRAGMA synchronous = OFF"); err != nil {
		return err
	}
	_, failed := j.upkeep.ExecContext(ctx, "DELETE FROM entries WHERE id <= ?", upTo)
	_, err := j.upkeep.ExecContext(ctx, "PRAGMA synchronous = FULL") // in any case: checkpoints need it
	return errors.Join(failed, err)
}

func (j *Journal) checkpoint(ctx context.Context) error {
	about, err := os.Stat(j.path + walSuffix)
	if err != nil || about.Size() < checkpointFrom {
		return nil // no log yet, or a short one
	}
	if _, err := j.upkeep.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); err != nil || about.Size() < restartFrom {
		return err
	}
	_, err = j.upkeep.ExecContext(ctx, "PRAGMA wal_checkpoint(RESTART)")
	return err
}
