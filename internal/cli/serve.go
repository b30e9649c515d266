package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"asterism/internal/config"
	"asterism/internal/server"
)

func newServeCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve as a node until SIGTERM",
		Args:  arguments(0, 0),
	}
	from := addConfig(cmd)
	check := cmd.Flags().Bool("check", false, "only check the config and show where each value comes from")
	replace := cmd.Flags().Bool("replace", false, "take over from the node that serves here now, without refusing a call")
	format := cmd.Flags().String("log", "", "`json` or text; default: text on a terminal")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *format != "" && *format != "json" && *format != "text" {
			return &usageError{cmd: cmd, message: fmt.Sprintf("serve: no log format %q", *format), hint: "formats are json and text"}
		}
		cfg, err := from.load()
		if err != nil {
			return err
		}
		if *check {
			for _, warning := range server.Warnings(cfg) {
				fmt.Fprintln(d.err, "warning: "+warning)
			}
			if err := server.Check(cfg); err != nil {
				return err
			}
			return d.origins(cfg)
		}
		err = server.Serve(cmd.Context(), cfg, server.Options{
			Log:     newLog(d.err, *format),
			Version: build().version,
			Replace: *replace,
			Reload:  from.load,
		})
		if errors.Is(err, context.Canceled) {
			return nil // told to end while it was still starting
		}
		return err
	}
	return cmd
}

// origins shows where each value of a config comes from.
func (d deps) origins(cfg config.Config) error {
	for _, key := range cfg.Keys() {
		fmt.Fprintf(d.out, "%-24s %s\n", key, cfg.Origin(key))
	}
	_, err := fmt.Fprintln(d.out, "ok")
	return err
}
