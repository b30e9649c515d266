package server

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"asterism/internal/config"
	"asterism/internal/failure"
	"asterism/internal/store"
)

// Check tells whether this version can serve what a valid config asks for, with
// the files that it names as they are now. It is stricter than a start in one
// thing: an expired certificate is an error.
func Check(cfg config.Config) error {
	if err := servable(cfg); err != nil {
		return err
	}
	return checkFiles(cfg, time.Now())
}

// servable tells whether this version knows what a config asks for.
func servable(cfg config.Config) error {
	if err := store.CheckURL(cfg.Store.URL); err != nil {
		return err
	}
	return unserved(cfg)
}

// unserved refuses a config that asks for what this version does not do yet: a
// client that is believed to see its own tables and sees all would be worse than
// none.
func unserved(cfg config.Config) error {
	var keys []string
	if table := cfg.Tables["numbers"]; table != "" && table != "numbers" {
		keys = append(keys, "tables.numbers")
	}
	for name, client := range cfg.Clients {
		if len(client.Tables) > 0 {
			keys = append(keys, "clients."+name+".tables")
		}
	}
	if keys == nil {
		return nil
	}
	slices.Sort(keys)
	return &failure.Error{
		Kind: failure.Invalid, Field: keys[0], Message: fmt.Sprintf("the config sets %s, which this version does not serve", strings.Join(keys, ", ")),
		Hint: "take it out of asterism.toml",
	}
}
