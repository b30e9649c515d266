package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asterism/internal/failure"
	"asterism/internal/store"
)

func newInitCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create the store, or migrate an older one",
		Long:  "Create the store, or migrate an older one. It may be run again and again.",
		Args:  arguments(0, 0),
	}
	from := addConfig(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := from.load()
		if err != nil {
			return err
		}
		if err := makeFolder(cfg.Store.URL); err != nil {
			return err
		}
		s, err := store.Init(cmd.Context(), cfg.Store.URL, storeOptions(cfg))
		if err != nil {
			return err
		}
		fmt.Fprintln(d.out, "ready: "+cfg.Store.String())
		return s.Close()
	}
	return cmd
}

// makeFolder makes the folder of a SQLite store, for its owner only: the store
// holds the passwords of phones.
func makeFolder(url string) error {
	path, isSQLite := strings.CutPrefix(url, "sqlite:")
	if !isSQLite {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return &failure.Error{Kind: failure.Invalid, Field: "store.url", Message: "make the store's folder", Hint: "set store.url to a file in a folder that this user may write", Cause: err}
	}
	return nil
}
