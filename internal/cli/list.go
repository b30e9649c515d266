package cli

import (
	"bufio"
	"errors"

	"github.com/spf13/cobra"

	"asterism/internal/control"
	"asterism/internal/store"
)

func newListCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list FAMILY [COLUMN=VALUE...]",
		Short: "Show the rows whose columns have just these values",
		Args:  arguments(1, -1),
	}
	from := addConfig(cmd)
	asJSON := addJSON(cmd, "an array of objects, column to text")
	node := addServer(cmd)
	limit := cmd.Flags().Int("limit", 0, "show at most `N` rows")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		conditions, err := assignments(cmd, args[1:])
		if err != nil {
			return err
		}
		if *limit < 0 {
			return &usageError{cmd: cmd, message: "list: a negative --limit"}
		}
		out := bufio.NewWriter(d.out)
		rows := newListing(out, *asJSON)
		if node.asked() {
			err = node.multi(cmd.Context(), args[0], conditions, *limit, rows.row)
		} else {
			err = from.people(cmd.Context(), func(p *control.People) error {
				return p.List(cmd.Context(), args[0], conditions, *limit, rows.row)
			})
		}
		if err == nil {
			err = rows.end()
		}
		return errors.Join(err, out.Flush())
	}
	return cmd
}

// listing prints rows as they come, so that a million need no memory.
type listing interface {
	row(row []store.Text) error
	end() error
}

func newListing(out *bufio.Writer, asJSON bool) listing {
	if asJSON {
		return &jsonListing{out: out}
	}
	return &tableListing{out: out}
}
