package doctor

import (
	"slices"
	"strconv"
	"strings"

	"asterism/internal/asteriskconf"
)

// mapping is a line of [settings] in extconfig.conf.
type mapping struct {
	asteriskconf.Position
	family   string // in lower case, as Asterisk compares
	driver   string // in lower case
	database string // of curl: the base URL
	table    string
	priority int
	value    string // the whole of it
}

// mappings reads the lines of extconfig.conf.
func mappings(file *asteriskconf.File) []mapping {
	var out []mapping
	if file == nil {
		return nil
	}
	for _, section := range file.Named("settings") {
		for _, v := range section.Variables {
			out = append(out, newMapping(v))
		}
	}
	return out
}

// newMapping splits "driver,database[,table[,priority]]". With a quote after the
// driver the database is what stands between quotes.
func newMapping(v asteriskconf.Variable) mapping {
	m := mapping{Position: v.Position, family: strings.ToLower(v.Name), value: v.Value}
	driver, rest, _ := strings.Cut(v.Value, ",")
	if _, quoted, ok := strings.Cut(rest, `"`); ok {
		m.database, rest, _ = strings.Cut(quoted, `"`)
		_, rest, _ = strings.Cut(rest, ",")
	} else {
		m.database, rest, _ = strings.Cut(rest, ",")
	}
	m.driver = strings.ToLower(strings.TrimSpace(driver))
	m.database = strings.TrimSpace(m.database)
	table, priority, _ := strings.Cut(rest, ",")
	m.table = strings.TrimSpace(table)
	m.priority = max(1, leadingNumber(priority))
	return m
}

func leadingNumber(text string) int {
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		text = text[:end]
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// together are families that Asterisk maps by one name.
var together = map[string][]string{
	"iaxfriends": {"iaxusers", "iaxpeers"},
	"sipfriends": {"sippeers"},
}

// names gives the families that a mapping is for.
func (m mapping) names() []string {
	if several, ok := together[m.family]; ok {
		return several
	}
	return []string{m.family}
}

// covers tells whether a mapping is for a family.
func (m mapping) covers(name string) bool {
	name = strings.ToLower(name)
	if m.family == name {
		return true
	}
	return slices.Contains(m.names(), name)
}

// static tells whether a mapping is for a configuration file.
func (m mapping) static() bool { return strings.HasSuffix(m.family, ".conf") }
