package cli

import (
	"github.com/spf13/cobra"

	"asterism/internal/control"
)

func newDeleteCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "delete FAMILY KEY",
		Short: "Delete a row",
		Args:  arguments(2, 2),
	}
	from := addConfig(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return from.people(cmd.Context(), func(p *control.People) error {
			if err := p.Delete(cmd.Context(), args[0], args[1]); err != nil {
				return err
			}
			d.wait(cmd.Context(), p)
			return nil
		})
	}
	return cmd
}
