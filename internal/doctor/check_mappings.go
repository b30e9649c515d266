package doctor

import (
	"fmt"
	"strings"

	"asterism/internal/asteriskconf"
)

// badFiles tells of lines that Asterisk drops and files that it refuses.
func badFiles(s *setup) []Finding {
	var out []Finding
	for _, file := range s.files() {
		least := asteriskconf.Warning
		if file == s.dialplan {
			least = asteriskconf.Error // of the dialplan only the switches matter here
		}
		for _, note := range file.Notes {
			switch {
			case note.Level < least:
			case note.Level == asteriskconf.Error:
				out = append(out, fault(note.Position, "mend the line", "%s; Asterisk refuses all of %s", note.Text, file.Name))
			default:
				out = append(out, fault(note.Position, "mend the line, or take it out", "%s", note.Text))
			}
		}
	}
	return out
}

// noSettings tells that nothing is mapped at all.
func noSettings(s *setup) []Finding {
	start := s.kit() + " writes one"
	switch {
	case s.extconfig == nil:
		return []Finding{{File: "extconfig.conf", Problem: "there is no extconfig.conf: no family is asked of anybody", Remedy: start}}
	case len(s.extconfig.Named("settings")) == 0:
		return []Finding{{File: "extconfig.conf", Problem: "no section [settings]: mappings elsewhere are not read", Remedy: "put the mappings below a line [settings]"}}
	case len(s.mappings) == 0:
		return []Finding{{File: "extconfig.conf", Problem: "[settings] maps nothing", Remedy: start}}
	}
	return nil
}

// missingMappings tells of wizards whose family extconfig.conf lacks.
func missingMappings(s *setup) []Finding {
	var out []Finding
	for _, w := range s.realtime() {
		if _, ok := s.mapped(w.family); !ok {
			out = append(out, fault(w.Position, "in extconfig.conf, [settings]: "+s.line(w.family),
				"%s is kept in the family %s, which extconfig.conf does not map: the module that owns it does not load", w.object, w.family))
		}
	}
	return out
}

// companions are families that are of no use without others.
var companions = []struct{ family, needs, why string }{
	{"ps_endpoints", "ps_aors", "endpoints name their aors there"},
	{"ps_endpoints", "ps_auths", "endpoints name their passwords there"},
	{"queues", "queue_members", "queues have no members"},
	{"queue_members", "queues", "nobody asks for the members of queues that are not there"},
	{"musiconhold", "musiconhold_entry", "classes with mode=playlist have no files"},
	{"followme", "followme_numbers", "profiles without numbers fail"},
	{"followme_numbers", "followme", "nobody asks for the numbers of profiles that are not there"},
}

func missingCompanions(s *setup) []Finding {
	var out []Finding
	for _, c := range companions {
		m, ok := s.mapped(c.family)
		if !ok {
			continue
		}
		if _, ok := s.mapped(c.needs); !ok {
			out = append(out, fault(m.Position, s.line(c.needs), "%s is mapped and %s is not: %s", c.family, c.needs, c.why))
		}
	}
	return out
}

// doubledMappings tells of lines that a later one overrules.
func doubledMappings(s *setup) []Finding {
	var out []Finding
	first := map[string]mapping{}
	for _, m := range s.mappings {
		for _, name := range m.names() {
			key := fmt.Sprint(name, " ", m.priority)
			if earlier, ok := first[key]; ok {
				out = append(out, fault(m.Position, fmt.Sprintf("keep one of the lines %d and %d", earlier.Line, m.Line),
					"%s is mapped a second time, first at %s: the last line wins", name, earlier.Position))
				break
			}
			first[key] = m
		}
	}
	return out
}

// uselessMappings tells of files that are read before any driver is there.
func uselessMappings(s *setup) []Finding {
	var out []Finding
	for _, m := range s.mappings {
		switch m.family {
		case "asterisk.conf", "extconfig.conf", "logger.conf":
			out = append(out, fault(m.Position, "take the line out and keep the file", "%s can't be mapped: Asterisk ignores this line", m.family))
		case "modules.conf", "res_curl.conf", "asterism.conf":
			out = append(out, fault(m.Position, "take the line out and keep the file", "%s is read before any driver is loaded: this line does nothing", m.family))
		}
	}
	return out
}

// obsoleteMappings tells of names that Asterisk warns of.
func obsoleteMappings(s *setup) []Finding {
	var out []Finding
	for _, m := range s.mappings {
		if several, ok := together[m.family]; ok {
			var lines []string
			for _, name := range several {
				lines = append(lines, name+" => "+m.value)
			}
			out = append(out, fault(m.Position, "one line each: "+strings.Join(lines, " and "), "%s is an old name; Asterisk warns of it at each start", m.family))
		}
	}
	return out
}

// globalMappings tells of the family that takes every file away.
func globalMappings(s *setup) []Finding {
	var out []Finding
	for _, m := range s.mappings {
		if m.family == "global" {
			out = append(out, fault(m.Position, "take the line out and map single files, such as: queues.conf => "+m.value,
				"the family global stands for every .conf file that is not mapped itself: each is asked of %s, and an empty answer is an empty file", m.driver))
		}
	}
	return out
}

// secondPriorities tells of failover that is none.
func secondPriorities(s *setup) []Finding {
	var out []Finding
	for _, m := range s.mappings {
		if m.priority < 2 {
			continue
		}
		switch before := s.before(m); {
		case before.driver == "asterism":
			if f, ok := s.behindModule(m); ok {
				out = append(out, f)
			}
		case before.driver == "curl" || m.driver == "curl":
			out = append(out, fault(m.Position, "keep one line for "+m.family+"; several servers belong behind one URL",
				"%s has a priority %d beside curl, which is no failover: a question for a list never goes on to it, one for a single row does whenever there is no such row", m.family, m.priority))
		}
	}
	return out
}

// before gives the mapping of the same family that is asked before one.
func (s *setup) before(m mapping) mapping {
	found := mapping{}
	for _, other := range s.mappings {
		if other.family == m.family && other.priority < m.priority && other.priority >= found.priority {
			found = other
		}
	}
	return found
}

// behindModule tells of a second priority that is asked too often: an older core
// takes our module's "there is no such row" for "I don't know".
func (s *setup) behindModule(m mapping) (Finding, bool) {
	remedy := "keep one line for " + m.family + ": asterism.conf takes several servers"
	switch {
	case s.release.tellsMisses():
		return Finding{}, false
	case s.release.known():
		return fault(m.Position, remedy, "%s has a priority %d behind asterism, and Asterisk %s asks it whenever there is no such row", m.family, m.priority, s.release), true
	}
	return fault(m.Position, remedy+"; if Asterisk is newer, say so: --release 22.6",
		"%s has a priority %d behind asterism: Asterisk before 20.16, 21.11 and 22.6 asks it whenever there is no such row, not only when no server answers", m.family, m.priority), true
}

// longMappings tells of lines that are cut.
func longMappings(s *setup) []Finding {
	const most = 511
	var out []Finding
	for _, m := range s.mappings {
		if len(m.value) > most {
			out = append(out, fault(m.Position, "shorten it", "the mapping of %s has %d bytes: Asterisk cuts it at %d", m.family, len(m.value), most))
		}
	}
	return out
}

// drivers tells of drivers that are none.
func drivers(s *setup) []Finding {
	var out []Finding
	for _, m := range s.mappings {
		if m.driver != "curl" && m.driver != "asterism" && !isDatabase(m.driver) {
			out = append(out, fault(m.Position, s.line(m.family), "%s is mapped to %q, which is no driver of Asterisk", m.family, m.driver))
		}
	}
	return out
}

func isDatabase(driver string) bool {
	switch driver {
	case "odbc", "pgsql", "mysql", "sqlite", "sqlite3", "ldap":
		return true
	}
	return false
}

// databases tells of families that a database still answers.
func databases(s *setup) []Finding {
	var out []Finding
	for _, m := range s.mappings {
		if !isDatabase(m.driver) {
			continue
		}
		if m.static() {
			out = append(out, fault(m.Position, s.fileLine(m.family), "the file %s is still read from %s", m.family, m.driver))
			continue
		}
		out = append(out, fault(m.Position, s.line(m.family), "%s is still asked of %s", m.family, m.driver))
	}
	return out
}

// unknownFamilies tells of names that no module asks for.
func unknownFamilies(s *setup) []Finding {
	var out []Finding
	for _, m := range s.mappings {
		if m.static() || m.family == "global" {
			continue
		}
		if m.driver == "asterism" && m.table != "" {
			if f, ok := s.unknownTable(m); ok {
				out = append(out, f)
			}
			continue
		}
		if s.known(m.family) || s.asked(m.family) {
			continue
		}
		if meant := s.nearest(m.family); meant != "" {
			out = append(out, fault(m.Position, s.line(meant), "no module asks for a family %s: did you mean %s?", m.family, meant))
			continue
		}
		if m.driver == "curl" {
			if _, last, ok := cutLast(m.database, "/"); ok && s.known(last) {
				continue // a name of the operator's own for a family that is known
			}
			out = append(out, extraTable(m, m.family))
		}
		if m.driver == "asterism" {
			out = append(out, extraTable(m, m.family))
		}
	}
	return out
}

// unknownTable tells of a table, named as the third word, that there is not.
func (s *setup) unknownTable(m mapping) (Finding, bool) {
	if s.known(m.asks()) {
		return Finding{}, false
	}
	if meant := s.nearest(m.table); meant != "" {
		return fault(m.Position, s.lineTo(m.family, meant), "%s is mapped to the table %s, which there is not: did you mean %s?", m.family, m.table, meant), true
	}
	return extraTable(m, m.table), true
}

func extraTable(m mapping, table string) Finding {
	return fault(m.Position, fmt.Sprintf("asterism.toml: [families] extra = [%q]", table), "%s is no table of Asterisk's schema: Asterism serves it only when told to", table)
}

// asked tells whether sorcery.conf names a family.
func (s *setup) asked(name string) bool {
	for _, w := range s.realtime() {
		if strings.EqualFold(w.family, name) {
			return true
		}
	}
	return false
}
