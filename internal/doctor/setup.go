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
	extconfig, sorcery, curl, options, modules, pjsip, dialplan *asteriskconf.File

	mappings []mapping
	wizards  []wizard
	families *family.Catalog
}

func read(folder *asteriskconf.Folder) (*setup, error) {
	s := &setup{families: family.Standard()}
	var faults []error
	for name, into := range map[string]**asteriskconf.File{
		"extconfig.conf": &s.extconfig, "sorcery.conf": &s.sorcery, "res_curl.conf": &s.curl, "asterisk.conf": &s.options,
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
	for _, f := range []*asteriskconf.File{s.extconfig, s.sorcery, s.curl, s.options, s.modules, s.pjsip, s.dialplan} {
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
func (s *setup) onCurl() []mapping {
	var out []mapping
	for _, m := range s.mappings {
		if m.driver == "curl" {
			out = append(out, m)
		}
	}
	return out
}

// line is the line of extconfig.conf that maps a family where the others are.
func (s *setup) line(name string) string { return s.lineTo(name, family.Resolve(name)) }

// lineTo is the line that maps a family, or a file, to a table.
func (s *setup) lineTo(name, table string) string {
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
