package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asterism/internal/control"
	"asterism/internal/store"
)

func newSetCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set FAMILY KEY COLUMN=VALUE...",
		Short: "Create or change a row; COLUMN= clears",
		Args:  arguments(3, -1),
	}
	from := addConfig(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		texts, err := assignments(cmd, args[2:])
		if err != nil {
			return err
		}
		return from.people(cmd.Context(), func(p *control.People) error {
			if err := p.Set(cmd.Context(), args[0], args[1], texts); err != nil {
				return err
			}
			d.wait(cmd.Context(), p)
			return nil
		})
	}
	return cmd
}

// assignments reads COLUMN=VALUE arguments.
func assignments(cmd *cobra.Command, args []string) ([]store.Text, error) {
	out := make([]store.Text, len(args))
	for i, arg := range args {
		column, text, ok := strings.Cut(arg, "=")
		if !ok || column == "" {
			return nil, &usageError{cmd: cmd, message: fmt.Sprintf("%s: %q is not COLUMN=VALUE", cmd.Name(), arg)}
		}
		out[i] = store.Text{Column: column, Text: text}
	}
	return out, nil
}
