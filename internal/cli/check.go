package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asterism/internal/control"
	"asterism/internal/store"
)

func newCheckCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find rows that Asterisk could not use",
		Long:  "Find rows that Asterisk could not use; exit code 1 when there are any.",
		Args:  arguments(0, 0),
	}
	from := addConfig(cmd)
	asJSON := addJSON(cmd, "an array of {family, key, column, problem}, with --digest of {family, rows, hash}")
	digest := cmd.Flags().Bool("digest", false, "show a hash of each family's rows instead; a node with the same rows has the same")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return from.people(cmd.Context(), func(p *control.People) error {
			if *digest {
				return d.digest(cmd.Context(), p, *asJSON)
			}
			return d.check(cmd.Context(), p, *asJSON)
		})
	}
	return cmd
}

func (d deps) check(ctx context.Context, p *control.People, asJSON bool) error {
	out := bufio.NewWriter(d.out)
	rows := newListing(out, asJSON)
	findings := 0
	err := p.Check(ctx, func(f control.Finding) error {
		findings++
		return rows.row([]store.Text{
			{Column: "family", Text: f.Family}, {Column: "key", Text: f.Key}, {Column: "column", Text: f.Column}, {Column: "problem", Text: f.Problem},
		})
	})
	if err == nil {
		err = rows.end()
	}
	if err == nil && findings == 0 && !asJSON {
		fmt.Fprintln(out, "ok")
	}
	if err = errors.Join(err, out.Flush()); err == nil && findings > 0 {
		err = errSaid
	}
	return err
}

// familyDigest is a family's digest as it is printed: 64 bits don't fit a number
// of JSON.
type familyDigest struct {
	Family string `json:"family"`
	Rows   int    `json:"rows"`
	Hash   string `json:"hash"`
}

func (d deps) digest(ctx context.Context, p *control.People, asJSON bool) error {
	digests, err := p.Digest(ctx, d.now().Unix())
	if err != nil {
		return err
	}
	shown := make([]familyDigest, len(digests))
	rows := newTable("family", "rows", "hash")
	for i, digest := range digests {
		shown[i] = familyDigest{digest.Family, digest.Rows, fmt.Sprintf("%016x", digest.Hash)}
		rows.AppendRow([]any{shown[i].Family, shown[i].Rows, shown[i].Hash})
	}
	if asJSON {
		return d.printJSON(shown)
	}
	_, err = fmt.Fprintln(d.out, rows.Render())
	return err
}
