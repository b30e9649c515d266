package doctor

import (
	"strings"

	"asterism/internal/asteriskconf"
	"asterism/internal/family"
)

// badModuleTables tells of lines of asterism.conf for tables that nobody asks for.
func badModuleTables(s *setup) []Finding {
	var out []Finding
	for _, section := range []string{"families", "memory_cache"} {
		for _, v := range s.moduleSettings(section) {
			if f, ok := s.wrongTable(section, v); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

func (s *setup) wrongTable(section string, v asteriskconf.Variable) (Finding, bool) {
	name := strings.ToLower(v.Name)
	table := family.Resolve(name)
	if m, ok := s.mapped(name); ok && m.driver == "asterism" && !s.known(name) {
		table = m.asks()
	}
	if table != name {
		return fault(v.Position, table+" = "+v.Value, "[%s] goes by tables, and that of %s is %s: the line does nothing", section, v.Name, table), true
	}
	if s.served(name) {
		return Finding{}, false
	}
	if near := s.nearest(name); near != "" {
		return fault(v.Position, near+" = "+v.Value, "[%s]: there is no table %s: did you mean %s?", section, v.Name, near), true
	}
	return fault(v.Position, "take the line out, or map the table in extconfig.conf: "+name+" => asterism,main", "[%s]: the table %s is none of Asterisk's and extconfig.conf does not map it", section, v.Name), true
}

// badMemoryCaches tells where asterism.conf and sorcery.conf don't speak of the same
// caches.
func badMemoryCaches(s *setup) []Finding {
	if s.module == nil {
		return nil
	}
	caches := map[string]memoryCache{}
	for _, c := range s.memoryCaches() {
		caches[c.name] = c
	}
	var out []Finding
	said := map[string]bool{}
	for _, v := range s.moduleSettings("memory_cache") {
		table := strings.ToLower(v.Name)
		c, ok := caches[v.Value]
		if ok && c.table != "" && c.table != table {
			said[c.table] = true
			out = append(out, fault(v.Position, c.table+" = "+v.Value, "the cache %s holds what comes from %s, not from %s", v.Value, c.table, table))
			continue
		}
		said[table] = true
		if !ok {
			out = append(out, fault(v.Position, s.cacheRemedy(table), "sorcery.conf has no cache %s", v.Value))
		}
	}
	for _, c := range s.memoryCaches() {
		if c.table != "" && !said[c.table] && c.object != "contact" {
			out = append(out, fault(c.Position, "in asterism.conf, [memory_cache]: "+c.table+" = "+c.name,
				"the module is not told of the cache %s: a changed %s stays as it was until its lifetime in the cache ends", c.name, c.object))
		}
	}
	return out
}

// cacheRemedy names the cache that there is for a table, or the lines that make one.
func (s *setup) cacheRemedy(table string) string {
	for _, c := range s.memoryCaches() {
		if c.table == table {
			return table + " = " + c.name
		}
	}
	for object, p := range places {
		if p.family == table {
			return "take the line out, or in sorcery.conf, [" + p.section + "]: " + object + "/cache=memory_cache,object_lifetime_maximum=600 before " + object + "=realtime," + table
		}
	}
	return "take the line out"
}
