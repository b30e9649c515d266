package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newReloadCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reload",
		Short: "Make the node on this machine read its config and compare its memory with SQL",
		Args:  arguments(0, 0),
	}
	from := addConfig(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := from.load()
		if err != nil {
			return err
		}
		node, err := servingNode(cfg.Node.State, "start one with asterism serve, which reads all anew")
		if err != nil {
			return err
		}
		mended, err := node.Reload(cmd.Context())
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(d.out, "reloaded, %d rows mended\n", mended)
		return err
	}
	return cmd
}
