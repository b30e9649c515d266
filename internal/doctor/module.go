package doctor

import (
	"strings"

	"asterism/internal/asteriskconf"
	"asterism/internal/family"
)

// onModule gives the mappings that our module res_config_asterism answers.
func (s *setup) onModule() []mapping { return s.on("asterism") }

// usesModule tells whether anything in the folder wants our module.
func (s *setup) usesModule() bool {
	if len(s.onModule()) > 0 {
		return true
	}
	_, ok := s.askingCodecs()
	return ok
}

// askingCodecs finds the first line of the dialplan that calls our function.
func (s *setup) askingCodecs() (asteriskconf.Variable, bool) {
	if s.dialplan == nil {
		return asteriskconf.Variable{}, false
	}
	for _, section := range s.dialplan.Sections {
		for _, v := range section.Variables {
			if strings.Contains(v.Value, "${ASTERISM_CODECS(") {
				return v, true
			}
		}
	}
	return asteriskconf.Variable{}, false
}

// moduleSettings gives the lines of a section of asterism.conf.
func (s *setup) moduleSettings(section string) []asteriskconf.Variable {
	var out []asteriskconf.Variable
	if s.module == nil {
		return nil
	}
	for _, found := range s.module.Named(section) {
		out = append(out, found.Variables...)
	}
	return out
}

// asks gives the table that the module asks for.
func (m mapping) asks() string {
	if m.table != "" {
		return family.Resolve(strings.ToLower(m.table))
	}
	return family.Resolve(m.family)
}

// served tells whether the module knows a table: one of Asterisk's, or one that
// extconfig.conf maps to it.
func (s *setup) served(table string) bool {
	if s.known(table) {
		return true
	}
	for _, m := range s.onModule() {
		if m.asks() == table && !m.static() {
			return true
		}
	}
	return false
}

// memoryCache is a cache of sorcery.conf in front of a table.
type memoryCache struct {
	wizard
	name  string // as the manager knows it
	table string // where its objects come from; empty: not from the module
}

// memoryCaches gives the caches of sorcery.conf.
func (s *setup) memoryCaches() []memoryCache {
	var out []memoryCache
	for _, w := range s.wizards {
		if !w.cache || w.driver != "memory_cache" {
			continue
		}
		c := memoryCache{wizard: w, name: w.cacheName()}
		for _, behind := range s.realtime() {
			if behind.object != w.object || !strings.EqualFold(behind.section, w.section) {
				continue
			}
			if m, ok := s.mapped(behind.family); ok && m.driver == "asterism" {
				c.table = m.asks()
			}
		}
		out = append(out, c)
	}
	return out
}

// cacheName is the name of a cache: what name= says, else module and type. All of
// PJSIP's objects are of res_pjsip, whichever section they stand in.
func (w wizard) cacheName() string {
	if name := w.options["name"]; name != "" {
		return name
	}
	if strings.HasPrefix(strings.ToLower(w.section), "res_pjsip") {
		return "res_pjsip/" + w.object
	}
	return w.section + "/" + w.object
}

// expires tells whether the module takes what has changed out of a cache.
func (s *setup) expires(c memoryCache) bool {
	if c.table == "" {
		return false
	}
	for _, v := range s.moduleSettings("memory_cache") {
		if strings.EqualFold(v.Name, c.table) && v.Value == c.name {
			return true
		}
	}
	return false
}
