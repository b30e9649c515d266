package cli

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"asterism/internal/control"
	"asterism/internal/store"
)

func newGetCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "get FAMILY KEY",
		Short: "Show a row",
		Args:  arguments(2, 2),
	}
	from := addConfig(cmd)
	asJSON := addJSON(cmd, "one object, column to text")
	node := addServer(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rows, err := getRows(cmd.Context(), from, node, args)
		if err != nil {
			return err
		}
		return d.printRows(rows, *asJSON)
	}
	return cmd
}

// getRows asks the store, or the node that --server names.
func getRows(ctx context.Context, from *configured, node *remote, args []string) (rows [][]store.Text, err error) {
	if node.asked() {
		row, err := node.single(ctx, args[0], args[1])
		return [][]store.Text{row}, err
	}
	err = from.people(ctx, func(p *control.People) (err error) {
		rows, err = p.Rows(ctx, args[0], args[1])
		return err
	})
	return rows, err
}

// printRows prints the rows that share a key, mostly one.
func (d deps) printRows(rows [][]store.Text, asJSON bool) error {
	out := bufio.NewWriter(d.out)
	if asJSON {
		_, _ = out.Write(append(appendObject(nil, rows[0]), '\n')) // Flush tells
		if len(rows) > 1 {
			d.complain(fmt.Sprintf("the first of %d rows with that key", len(rows)), "asterism list shows them all")
		}
		return out.Flush()
	}
	for i, row := range rows {
		if i > 0 {
			fmt.Fprintln(out)
		}
		for _, text := range row {
			fmt.Fprintf(out, "%s = %s\n", text.Column, text.Text)
		}
	}
	return out.Flush()
}
