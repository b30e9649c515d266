package server

import (
	"fmt"
	"strings"

	"asterism/internal/config"
	"asterism/internal/failure"
)

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
	return &failure.Error{
		Kind: failure.Invalid, Field: keys[0], Message: fmt.Sprintf("the config sets %s, which this version does not serve", strings.Join(keys, ", ")),
		Hint: "take it out of asterism.toml",
	}
}
