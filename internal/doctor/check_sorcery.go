package doctor

import (
	"fmt"
	"strconv"
	"strings"
)

// wrongSections tells of objects where nobody looks for them.
func wrongSections(s *setup) []Finding {
	var out []Finding
	for _, w := range s.wizards {
		p, ok := places[w.object]
		if ok && !w.inPlace() && strings.HasPrefix(strings.ToLower(w.section), "res_pjsip") {
			out = append(out, fault(w.Position, fmt.Sprintf("move the line below [%s]", p.section),
				"%s belongs in [%s], not in [%s]: the module of that name does not load or does not see it", w.object, p.section, w.section))
		}
	}
	return out
}

// wrongFamilies tells of objects that are kept in another object's family.
func wrongFamilies(s *setup) []Finding {
	var out []Finding
	for _, w := range s.realtime() {
		p, ok := places[w.object]
		if !ok || strings.EqualFold(w.family, p.family) || !s.known(w.family) {
			continue
		}
		out = append(out, fault(w.Position, fmt.Sprintf("%s=realtime,%s", w.object, p.family),
			"%s is kept in %s, whose columns are those of something else", w.object, w.family))
	}
	return out
}

// unaskedFamilies tells of PJSIP families that sorcery.conf does not send anybody to.
func unaskedFamilies(s *setup) []Finding {
	var out []Finding
	var first *mapping
	for _, m := range s.mappings {
		for object, p := range places {
			if p.family != m.family || !strings.HasPrefix(m.family, "ps_") || s.asked(m.family) || m.family == "ps_contacts" {
				continue
			}
			if first == nil {
				first = &m
			}
			out = append(out, fault(m.Position, fmt.Sprintf("in sorcery.conf, [%s]: %s=realtime,%s", p.section, object, p.family),
				"%s is mapped, but sorcery.conf keeps no %s there: it is never asked", m.family, object))
		}
	}
	if first != nil && len(s.realtime()) == 0 {
		return []Finding{fault(first.Position, s.kit()+" writes a sorcery.conf",
			"families of PJSIP are mapped, but sorcery.conf keeps nothing in realtime: none of them is ever asked")}
	}
	return out
}

// misplacedUpdateMiss tells of the setting where it is taken for an object.
func misplacedUpdateMiss(s *setup) []Finding {
	const name = "update_or_create_on_update_miss"
	var out []Finding
	for _, w := range s.wizards {
		if w.object == name {
			out = append(out, fault(w.Position, "move it below [general]", "%s is a setting of [general], not of [%s]", name, w.section))
		}
	}
	return out
}

// localContacts tells of registrations that only this node knows.
func localContacts(s *setup) []Finding {
	aor, ok := s.wizardOf("aor", "realtime")
	if !ok {
		return nil
	}
	if _, ok := s.wizardOf("contact", "realtime"); ok {
		return nil
	}
	return []Finding{fault(aor.Position, "below [res_pjsip]: contact=realtime,ps_contacts; in extconfig.conf: "+s.line("ps_contacts"),
		"aors are kept in realtime and contacts are not: who is registered stands in the AstDB of this node, other nodes don't see it")}
}

// cachedContacts tells of the cache that loses phones.
func cachedContacts(s *setup) []Finding {
	var out []Finding
	for _, w := range s.wizards {
		if w.object == "contact" && w.cache {
			out = append(out, fault(w.Position, "take the line out",
				"contacts are cached: a registration at another node, and its end, is not seen here until the cached one is dropped"))
		}
	}
	return out
}

// badCaches tells of caches that are never asked or never forget.
func badCaches(s *setup) []Finding {
	var out []Finding
	for i, w := range s.wizards {
		if !w.cache || !w.inPlace() || w.object == "contact" {
			continue
		}
		if !positive(w.options["object_lifetime_maximum"]) && !positive(w.options["object_lifetime_stale"]) {
			out = append(out, s.endlessCache(w))
		}
		for _, earlier := range s.wizards[:i] {
			if earlier.object == w.object && strings.EqualFold(earlier.section, w.section) && !earlier.cache {
				out = append(out, fault(w.Position, fmt.Sprintf("move the line before line %d", earlier.Line),
					"the cache of %s stands behind what it should spare, and is never asked", w.object))
				break
			}
		}
	}
	return out
}

func (s *setup) endlessCache(w wizard) Finding {
	const remedy = "add object_lifetime_maximum=SECONDS"
	for _, c := range s.memoryCaches() {
		if c.wizard.Position == w.Position && s.expires(c) {
			return fault(w.Position, remedy, "the cache of %s has no end of its own: an object that was being read at the very moment of a change stays old until its row changes again", w.object)
		}
	}
	return fault(w.Position, remedy, "the cache of %s never forgets: a change is not seen until somebody expires it", w.object)
}

func positive(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n > 0
}

// unqualifiedFetches tells of the option that costs device states.
func unqualifiedFetches(s *setup) []Finding {
	var out []Finding
	for _, w := range s.realtime() {
		option := strings.ToLower(w.options["allow_unqualified_fetch"])
		if (option == "no" || option == "error") && (w.object == "aor" || w.object == "endpoint") {
			out = append(out, fault(w.Position, "take allow_unqualified_fetch out; for a quick start see [families] listing in asterism.toml",
				"allow_unqualified_fetch=%s on %s: Asterisk starts quickly, but no endpoint follows its aor, so hints and queues see it as Unavailable", option, w.object))
		}
	}
	return out
}

// hiddenObjects tells of objects in pjsip.conf that sorcery.conf looks for
// elsewhere only.
func hiddenObjects(s *setup) []Finding {
	if s.pjsip == nil {
		return nil
	}
	var out []Finding
	said := map[string]bool{}
	for _, section := range s.pjsip.Sections {
		object, ok := section.Last("type")
		if section.Template || !ok || said[object.Value] || s.reads(object.Value, "pjsip.conf") {
			continue
		}
		said[object.Value] = true
		out = append(out, fault(section.Position, fmt.Sprintf("in sorcery.conf, [%s]: %s=config,pjsip.conf,criteria=type=%s; or move it to %s",
			places[object.Value].section, object.Value, object.Value, places[object.Value].family),
			"[%s] is never read: sorcery.conf keeps objects of type %s elsewhere", section.Name, object.Value))
	}
	return out
}

// reads tells whether objects of a type are looked for in a file: where no wizard
// is named for them, they are.
func (s *setup) reads(object, file string) bool {
	named := false
	for _, w := range s.wizards {
		if w.object != object || w.cache || !w.inPlace() {
			continue
		}
		named = true
		if w.driver == "config" && strings.EqualFold(w.family, file) {
			return true
		}
	}
	return !named
}

// unmappedSwitches tells of dialplan that asks a family nobody answers.
func unmappedSwitches(s *setup) []Finding {
	if s.dialplan == nil {
		return nil
	}
	var out []Finding
	for _, section := range s.dialplan.Sections {
		for _, v := range section.Variables {
			kind, rest, _ := strings.Cut(v.Value, "/")
			if !strings.EqualFold(v.Name, "switch") || !strings.EqualFold(kind, "realtime") {
				continue
			}
			where, _, _ := strings.Cut(rest, "/")
			name := "extensions"
			if _, table, ok := strings.Cut(where, "@"); ok && table != "" {
				name = table
			}
			if _, ok := s.mapped(name); !ok {
				out = append(out, fault(v.Position, "in extconfig.conf, [settings]: "+s.line(name), "[%s] asks the family %s, which extconfig.conf does not map", section.Name, name))
			}
		}
	}
	return out
}
