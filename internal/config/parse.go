package config

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// sizeLimit is the largest file in bytes that is read. A thousand clients fit;
// go-toml's time grows with the square of the keys side by side, so that a wrong
// file of megabytes would take minutes to be refused.
const sizeLimit = 256 << 10

// Load reads the file at path. A file that cannot be read is an error of
// package os; one that cannot be used is a *[Faults].
func Load(path string) (Config, error) {
	file, err := os.Open(path)
	if err != nil {
		return Config{}, fmt.Errorf("read config: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, sizeLimit+1))
	if err != nil {
		return Config{}, fmt.Errorf("read config: %w", err)
	}
	return Parse(filepath.Base(path), text)
}

// Parse reads the text of a file; name is what faults and origins call it. Keys
// that text does not set keep their defaults. The error is always a *[Faults].
func Parse(name string, text []byte) (Config, error) {
	if len(text) > sizeLimit {
		tooLong := Fault{Problem: fmt.Sprintf("is longer than %d bytes", sizeLimit), Remedy: "check that it is the right file"}
		return Config{}, &Faults{File: name, List: []Fault{tooLong}}
	}
	settings, fault := scan(text)
	if fault != nil {
		return Config{}, &Faults{File: name, List: []Fault{*fault}}
	}
	r := newReader(name)
	for _, s := range settings {
		r.assign(s)
	}
	r.closeClients()
	r.check()
	if len(r.faults) > 0 {
		return Config{}, &Faults{File: name, List: byLine(r.faults)}
	}
	return r.config, nil
}
