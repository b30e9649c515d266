package control

import (
	"context"
	"strconv"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/store"
)

// Digest sums up every family as SQL holds it, by name. It equals what a node
// computes of its memory (directory.Table.Digest) when both show the same rows;
// rows that expired before now, in epoch seconds, are left out of both.
func (p *People) Digest(ctx context.Context, now int64) ([]directory.Digest, error) {
	scan, err := p.Store.Scan()
	if err != nil {
		return nil, err
	}
	defer scan.Close()
	var out []directory.Digest
	for _, f := range p.Store.Families() {
		if f.AppendOnly {
			continue // no node has it in memory
		}
		digest, err := digestOf(ctx, scan, f, now)
		if err != nil {
			return nil, err
		}
		out = append(out, digest)
	}
	return out, nil
}

func digestOf(ctx context.Context, scan *store.Scan, f *family.Family, now int64) (directory.Digest, error) {
	digest := directory.Digest{Family: f.Name}
	builder := directory.NewBuilder(nil)
	into := newAssembler(f, func(r row) error {
		if !expired(f, r, now) {
			digest.Add(r.build(builder))
		}
		return nil
	})
	err := scan.All(ctx, f, into)
	return digest, err
}

// expired tells whether a row's time was over at now, as the directory judges.
func expired(f *family.Family, r row, now int64) bool {
	column, ok := r.columns.Position(f.Expires)
	if !ok {
		return false
	}
	at, err := strconv.ParseInt(string(r.text(column)), 10, 64)
	return err == nil && at > 0 && at < now
}
