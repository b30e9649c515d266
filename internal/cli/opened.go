package cli

import (
	"context"
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"asterism/internal/config"
	"asterism/internal/control"
	"asterism/internal/failure"
	"asterism/internal/server"
	"asterism/internal/store"
)

// defaultConfig is where the config is when nobody names another file.
const defaultConfig = "/etc/asterism/asterism.toml"

// configured is a command's --config.
type configured struct {
	cmd  *cobra.Command
	path string
}

// addConfig gives a command the flag --config.
func addConfig(cmd *cobra.Command) *configured {
	c := &configured{cmd: cmd}
	cmd.Flags().StringVar(&c.path, "config", defaultConfig, "config `FILE`")
	return c
}

// load reads the config. Without the default file the defaults hold; a file that
// was named must be there.
func (c *configured) load() (config.Config, error) {
	cfg, err := config.Load(c.path)
	if !errors.Is(err, fs.ErrNotExist) {
		return cfg, err
	}
	if c.cmd.Flags().Changed("config") {
		return cfg, &failure.Error{Kind: failure.Unknown, Field: "config", Message: "no config file " + c.path, Hint: "name another with --config, or leave it out for the defaults"}
	}
	return config.Default(), nil
}

// people opens the config's store for a command. c.load's faults come first.
func (c *configured) people(ctx context.Context, do func(*control.People) error) error {
	cfg, err := c.load()
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, cfg.Store.URL, storeOptions(cfg))
	if err != nil {
		return err
	}
	err = do(&control.People{Store: s, Published: published(cfg.Node.State)})
	return errors.Join(err, s.Close())
}

func storeOptions(cfg config.Config) store.Options {
	return store.Options{Extra: cfg.Families.Extra, Indexes: cfg.Families.Index}
}

// published waits for the node that serves on this machine, if any.
func published(state string) func(context.Context) error {
	return func(ctx context.Context) error {
		node, err := server.Dial(state)
		if failure.KindOf(err) == failure.Absent {
			return nil
		}
		if err != nil {
			return err
		}
		return node.Published(ctx)
	}
}

// wait returns once the serving node shows what a command changed. That it does
// not is worth a remark and no failure: the change is made.
func (d deps) wait(ctx context.Context, p *control.People) {
	if err := p.WaitPublished(ctx); err != nil {
		d.complain("the change is made, but the node that serves here does not show it yet: "+err.Error(), "asterism status tells how far it is")
	}
}
