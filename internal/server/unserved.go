package server

import (
	"fmt"
	"slices"
	"strings"

	"asterism/internal/config"
	"asterism/internal/failure"
	"asterism/internal/store"
)

// Check tells whether this version can serve what a valid config asks for.
func Check(cfg config.Config) error {
	if err := store.CheckURL(cfg.Store.URL); err != nil {
		return err
	}
	return unserved(cfg)
}

// unserved refuses a config that asks for what this version does not do yet: a
// door that is believed to be encrypted and is not would be worse than none.
func unserved(cfg config.Config) error {
	var keys []string
	for key, set := range map[string]bool{
		"asterisk.tls_cert": cfg.Asterisk.TLSCert != "",
		"clients":           len(cfg.Clients) > 0,
		"tables.numbers":    cfg.Tables["numbers"] != "" && cfg.Tables["numbers"] != "numbers",
	} {
		if set {
			keys = append(keys, key)
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
