package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"asterism/internal/control"
)

func newLookupCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lookup NUMBER",
		Short: "Show the codecs of a number",
		Args:  arguments(1, 1),
	}
	from := addConfig(cmd)
	tenant := cmd.Flags().String("tenant", "", "ask as tenant `T` does: its own numbers first, then the shared ones")
	node := addServer(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		codecs, err := lookup(cmd.Context(), from, node, [2]string{*tenant, args[0]})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(d.out, codecs)
		return err
	}
	return cmd
}

// lookup asks the store, or the node that --server names, for tenant and number.
func lookup(ctx context.Context, from *configured, node *remote, asked [2]string) (codecs string, err error) {
	if node.asked() {
		return node.lookup(ctx, asked[0], asked[1])
	}
	err = from.people(ctx, func(p *control.People) (err error) {
		codecs, err = p.Lookup(ctx, asked[0], asked[1])
		return err
	})
	return codecs, err
}
