package doctor

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"asterism/internal/failure"
	"asterism/internal/family"
)

const sampleServer = "server = http://127.0.0.1:8640/soap"

// missingModuleFile tells that the module has no settings, without which it does
// not load.
func missingModuleFile(s *setup) []Finding {
	if s.module != nil || !s.usesModule() {
		return nil
	}
	return []Finding{{
		File: "asterism.conf", Problem: "there is no asterism.conf: res_config_asterism does not load, and nobody answers",
		Remedy: "write one with a section [general] and in it " + sampleServer + "; asterism kit --asterisk VERSION --engine native --out DIR has one",
	}}
}

// badServers tells of servers that can't be asked.
func badServers(s *setup) []Finding {
	if s.module == nil {
		return nil
	}
	var out []Finding
	said := map[string]bool{}
	count := 0
	for _, v := range s.moduleSettings("general") {
		if !strings.EqualFold(v.Name, "server") {
			continue
		}
		count++
		at, err := url.Parse(v.Value)
		scheme := ""
		if err == nil {
			scheme = strings.ToLower(at.Scheme)
		}
		switch {
		case err != nil || scheme != "http" && scheme != "https" || at.Hostname() == "":
			out = append(out, fault(v.Position, sampleServer, "server = %s is no http URL: the module does not load", v.Value))
		case at.User != nil:
			out = append(out, fault(v.Position, "take them out of the URL: user = NAME and password_file = FILE", "the URL of a server has a user or a password, which the log and \"asterism show servers\" would show"))
		case at.Path != "/soap" || at.RawQuery != "" || at.Fragment != "":
			out = append(out, fault(v.Position, "server = "+scheme+"://"+at.Host+"/soap", "%s is not where Asterism answers the module: that is /soap", v.Value))
		case said[v.Value]:
			out = append(out, fault(v.Position, "take the line out", "the server %s is named twice", v.Value))
		}
		said[v.Value] = true
	}
	if count == 0 {
		out = append(out, Finding{File: s.module.Name, Problem: "no server is named: the module does not load", Remedy: "in asterism.conf, [general]: " + sampleServer})
	}
	return out
}

// badOptions tells of lines with which the module does not load.
func badOptions(s *setup) []Finding {
	if s.module == nil {
		return nil
	}
	var out []Finding
	sections := moduleSections()
	names := slices.Sorted(maps.Keys(sections))
	for _, found := range s.module.Sections {
		if found.Template {
			continue
		}
		section, ok := sections[strings.ToLower(found.Name)]
		if !ok {
			out = append(out, fault(found.Position, "take it out, or name it one of ["+strings.Join(names, "], [")+"]", "there is no section [%s] in asterism.conf: the module does not load", found.Name))
			continue
		}
		for _, v := range found.Variables {
			wrong := section.tables
			if section.options != nil {
				wrong, ok = section.options[strings.ToLower(v.Name)]
			}
			if !ok {
				out = append(out, fault(v.Position, meant(v.Name, section), "[%s] has no option %s: the module does not load", found.Name, v.Name))
			} else if why := wrong(v.Value); why != "" {
				out = append(out, fault(v.Position, why, "%s = %s: the module does not load", v.Name, v.Value))
			}
		}
	}
	return out
}

// meant tells which option a misspelled name may have been.
func meant(name string, section moduleSection) string {
	const far = 3
	best, found := far, ""
	names := slices.Sorted(maps.Keys(section.options))
	for _, option := range names {
		if d := failure.Distance(strings.ToLower(name), option); d < best {
			best, found = d, option
		}
	}
	if found != "" {
		return "did you mean " + found + "?"
	}
	return "one of " + strings.Join(names, ", ")
}

// brokenModuleMappings tells of lines of extconfig.conf that the module does not see,
// or not as they were meant.
func brokenModuleMappings(s *setup) []Finding {
	var out []Finding
	for _, m := range s.onModule() {
		mended := m.family + " => asterism,main"
		switch {
		case m.database == "" && m.table == "":
			out = append(out, fault(m.Position, mended, "%s is mapped to asterism and nothing more: Asterisk drops such a line", m.family))
		case strings.Contains(m.value, "://"):
			out = append(out, fault(m.Position, mended, "%s is mapped to asterism with a URL: where the servers are stands in asterism.conf", m.family))
		case m.static() || m.table == "":
		case s.known(m.family) && s.known(m.asks()) && m.asks() != family.Resolve(m.family):
			out = append(out, fault(m.Position, mended, "%s is mapped to the table %s, whose columns are those of something else", m.family, m.table))
		}
	}
	return out
}
