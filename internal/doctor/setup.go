package doctor

import (
	"errors"
	"io/fs"
	"net/url"
	"strings"

	"asterism/internal/asteriskconf"
	"asterism/internal/family"
)

// setup is what a folder says of realtime. A file that is absent is nil.
type setup struct {
	extconfig, sorcery, curl, module, options, modules, pjsip, dialplan *asteriskconf.File

	release  Release
	mappings []mapping
	wizards  []wizard
	families *family.Catalog
}

func read(folder *asteriskconf.Folder, release Release) (*setup, error) {
	s := &setup{release: release, families: family.Standard()}
	var faults []error
	for name, into := range map[string]**asteriskconf.File{
		"extconfig.conf": &s.extconfig, "sorcery.conf": &s.sorcery, "res_curl.conf": &s.curl, "asterism.conf": &s.module, "asterisk.conf": &s.options,
		"modules.conf": &s.modules, "pjsip.conf": &s.pjsip, "extensions.conf": &s.dialplan,
	} {
		file, err := folder.Read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			faults = append(faults, err)
		}
		*into = file
	}
	s.mappings = mappings(s.extconfig)
	s.wizards = wizards(s.sorcery)
	return s, errors.Join(faults...)
}

// files gives the files that are there.
func (s *setup) files() []*asteriskconf.File {
	var out []*asteriskconf.File
	for _, f := range []*asteriskconf.File{s.extconfig, s.sorcery, s.curl, s.module, s.options, s.modules, s.pjsip, s.dialplan} {
		if f != nil {
			out = append(out, f)
		}
	}
	return out
}

// mapped gives the mapping of a family that Asterisk takes: of several with the
// first priority the last one. Aliases stand for each other's table only where
// the family's own name is not mapped.
func (s *setup) mapped(name string) (mapping, bool) {
	found, ok := mapping{}, false
	for _, m := range s.mappings {
		if m.covers(name) && m.priority == 1 {
			found, ok = m, true
		}
	}
	return found, ok
}

// onCurl gives the mappings that res_config_curl answers.
func (s *setup) onCurl() []mapping { return s.on("curl") }

// on gives the mappings that a driver answers.
func (s *setup) on(driver string) []mapping {
	var out []mapping
	for _, m := range s.mappings {
		if m.driver == driver {
			out = append(out, m)
		}
	}
	return out
}

// native tells whether the folder asks by our module rather than by curl.
func (s *setup) native() bool {
	on, curl := len(s.onModule()), len(s.onCurl())
	return on > curl || on == curl && s.module != nil
}

// kit is the command that writes a whole set.
func (s *setup) kit() string {
	engine := "curl"
	if s.native() {
		engine = "native"
	}
	return "asterism kit --asterisk VERSION --engine " + engine + " --out DIR"
}

// line is the line of extconfig.conf that maps a family where the others are.
func (s *setup) line(name string) string { return s.lineTo(name, family.Resolve(name)) }

// lineTo is the line that maps a family to a table, where the others are.
func (s *setup) lineTo(name, table string) string {
	switch {
	case !s.native():
		return s.curlTo(name, table)
	case name == table:
		return name + " => asterism,main"
	}
	return name + " => asterism,main," + table
}

// fileLine is the line that maps a configuration file.
func (s *setup) fileLine(name string) string {
	if s.native() {
		return s.line(name)
	}
	return s.curlTo(name, "ast_config")
}

// curlLine is the line that maps a family to curl.
func (s *setup) curlLine(name string) string { return s.curlTo(name, family.Resolve(name)) }

// curlTo is the line that maps a family, or a file, to a table over curl.
func (s *setup) curlTo(name, table string) string {
	base := "http://127.0.0.1:8640/rt"
	for _, m := range s.onCurl() {
		if before, last, ok := cutLast(m.database, "/"); ok && s.known(last) && sound(before) {
			base = before
			break
		}
	}
	return name + " => curl," + base + "/" + table
}

// sound tells whether a URL can be shown as an example.
func sound(text string) bool {
	const long = 100
	at, err := url.Parse(text)
	return err == nil && (at.Scheme == "http" || at.Scheme == "https") && len(text) <= long &&
		!strings.ContainsAny(text, ",?${}\"") && !strings.HasSuffix(text, "/")
}

func (s *setup) known(name string) bool {
	_, err := s.families.Family(name)
	return err == nil
}

func cutLast(text, separator string) (before, after string, ok bool) {
	if i := strings.LastIndex(text, separator); i >= 0 {
		return text[:i], text[i+len(separator):], true
	}
	return text, "", false
}
