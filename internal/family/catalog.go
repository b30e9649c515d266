package family

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"sort"
)

//go:embed tables/*.txt
var tables embed.FS

// aliases are the names under which older modules ask for a table
// (extconfig.conf names them apart; both share one table).
var aliases = map[string]string{
	"iaxpeers": "iaxfriends", "iaxusers": "iaxfriends",
	"sipusers": "sippeers", "sipfriends": "sippeers",
}

// Catalog holds families by name.
type Catalog struct {
	byName map[string]*Family
}

// Standard gives the families that Asterisk's own schema and modules know,
// and Asterism's own.
func Standard() *Catalog {
	c := &Catalog{byName: make(map[string]*Family)}
	names, err := fs.Glob(tables, "tables/*.txt")
	if err != nil {
		panic(err) // the pattern is ours
	}
	for _, name := range names {
		text, err := tables.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		families, err := parse(name, string(text))
		if err != nil {
			panic(err) // embedded, held by a test
		}
		for _, f := range families {
			c.byName[f.Name] = f
		}
	}
	return c
}

// With gives a catalog that also holds, or replaces, the families.
func (c *Catalog) With(families ...*Family) *Catalog {
	out := &Catalog{byName: make(map[string]*Family, len(c.byName)+len(families))}
	maps.Copy(out.byName, c.byName)
	for _, f := range families {
		out.byName[f.Name] = f
	}
	return out
}

// Family finds a family by its table name or an alias of it.
func (c *Catalog) Family(name string) (*Family, error) {
	if f, ok := c.byName[Resolve(name)]; ok {
		return f, nil
	}
	return nil, fmt.Errorf("no family %q", name)
}

// Resolve gives the table name behind an alias, or the name itself.
func Resolve(name string) string {
	if table, ok := aliases[name]; ok {
		return table
	}
	return name
}

// Aliases gives every alias and its table.
func Aliases() map[string]string {
	out := make(map[string]string, len(aliases))
	maps.Copy(out, aliases)
	return out
}

// All gives the families in order of their names.
func (c *Catalog) All() []*Family {
	out := make([]*Family, 0, len(c.byName))
	for _, f := range c.byName {
		out = append(out, f)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}
