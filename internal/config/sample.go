package config

import _ "embed"

//go:embed asterism.toml
var sample string

// Sample returns the text of a file that explains every key and changes none.
func Sample() []byte { return []byte(sample) }
