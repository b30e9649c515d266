package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameLimit is the longest name of a node or client in characters.
const nameLimit = 64

// check holds every rule that one value, or several together, must satisfy.
func (r *reader) check() {
	r.checkNode()
	r.checkStore()
	r.checkAsterisk()
	r.checkListeners()
	r.checkFamilies()
	r.checkTables()
	r.checkClients()
}

func (r *reader) checkNode() {
	name, state := r.config.Node.Name, r.config.Node.State
	remedy := fmt.Sprintf("write 1 to %d printable characters", nameLimit)
	switch {
	case strings.TrimSpace(name) == "":
		r.fault("node.name", "is empty", remedy)
	case utf8.RuneCountInString(name) > nameLimit:
		r.fault("node.name", fmt.Sprintf("%s is longer than %d characters", quoted(name), nameLimit), remedy)
	case strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsPrint(c) }):
		r.fault("node.name", quoted(name)+" holds a character that cannot be printed", remedy)
	}
	if !filepath.IsAbs(state) {
		r.fault("node.state", quoted(state)+" is not an absolute path", "write a directory such as /var/lib/asterism")
	}
}

// checkStore never quotes the URL: where the scheme is wrong, nobody can tell
// which part of it is the password.
func (r *reader) checkStore() {
	const key = "store.url"
	scheme, rest, _ := strings.Cut(r.config.Store.URL, ":")
	switch scheme {
	case "sqlite":
		path, _, _ := strings.Cut(rest, "?")
		if strings.Trim(path, "/ ") == "" {
			r.fault(key, "names no file", "write sqlite:/var/lib/asterism/asterism.db")
		}
	case "postgres", "postgresql", "mysql":
		server, slashes := strings.CutPrefix(rest, "//")
		if !slashes || strings.Trim(server, "/ ") == "" {
			r.fault(key, "names no server", "write "+scheme+"://USER:PASSWORD@HOST/DATABASE")
		}
	default:
		r.fault(key, "starts with no scheme that is known", "write sqlite:PATH, postgres://..., postgresql://... or mysql://...")
	}
}
