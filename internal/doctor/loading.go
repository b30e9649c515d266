package doctor

import (
	"strings"

	"asterism/internal/asteriskconf"
)

// loading is what modules.conf says of modules, by their names without ".so".
type loading struct {
	auto  bool
	named map[string]bool
	out   map[string]asteriskconf.Position
}

func newLoading(file *asteriskconf.File) loading {
	l := loading{named: make(map[string]bool), out: make(map[string]asteriskconf.Position)}
	for _, section := range file.Named("modules") {
		for _, v := range section.Variables {
			module := strings.TrimSuffix(v.Value, ".so")
			switch strings.ToLower(v.Name) {
			case "autoload":
				l.auto = truth(v.Value)
			case "load", "preload", "require", "preload-require":
				l.named[module] = true
			case "noload":
				l.out[module] = v.Position
			}
		}
	}
	return l
}

// truth tells whether Asterisk takes a text for yes.
func truth(text string) bool {
	switch strings.ToLower(text) {
	case "yes", "true", "y", "t", "1", "on":
		return true
	}
	return false
}
