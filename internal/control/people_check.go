package control

import (
	"context"
	"fmt"
	"strings"

	"asterism/internal/family"
	"asterism/internal/number"
	"asterism/internal/store"
)

// Finding is one value with which Asterisk could not use its row.
type Finding struct {
	Family  string
	Key     string // as people type it; empty in a family without key
	Column  string
	Problem string
}

// referenced tells which family's ids a column of another names, several joined
// by ","; "" for none.
func referenced(name, column string) string {
	if name != "ps_endpoints" {
		return ""
	}
	switch column {
	case "auth", "outbound_auth":
		return "ps_auths"
	case "aors":
		return "ps_aors"
	}
	return ""
}

// Check yields rows that Asterisk could not use: values that a person could not
// have written, endpoints that name an auth or AOR that is not there, numbers
// without codecs. All is judged at one moment of the store.
func (p *People) Check(ctx context.Context, yield func(Finding) error) error {
	scan, err := p.Store.Scan()
	if err != nil {
		return err
	}
	defer scan.Close()
	ids, err := p.referencedIDs(ctx, scan)
	if err != nil {
		return err
	}
	for _, f := range p.Store.Families() {
		if f.AppendOnly {
			continue // only Asterisk writes it and nobody reads it back
		}
		c := &checker{family: f, ids: ids, yield: yield}
		if err := scan.All(ctx, f, newAssembler(f, c.row)); err != nil {
			return err
		}
	}
	return nil
}

// referencedIDs reads the ids of the families that endpoints name.
func (p *People) referencedIDs(ctx context.Context, scan *store.Scan) (map[string]*idSet, error) {
	out := make(map[string]*idSet)
	for _, name := range []string{"ps_auths", "ps_aors"} {
		f, err := p.family(name)
		if err != nil {
			continue // a store without that table: nothing can be said
		}
		ids := newIDSet()
		out[name] = ids
		alone := f.WithColumns([]family.Column{{Name: "id"}})
		into := newAssembler(alone, func(r row) error {
			ids.add(r.text(0))
			return nil
		})
		if err := scan.All(ctx, alone, into); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// checker judges the rows of one family.
type checker struct {
	family *family.Family
	ids    map[string]*idSet
	yield  func(Finding) error
}

func (c *checker) row(r row) error {
	for _, value := range r.fields {
		name := r.columns.Name(value.column)
		at, known := c.family.Position(name)
		if !known {
			continue // Asterisk brought it, so Asterisk can use it
		}
		problem := c.family.Columns[at].CheckPerson(string(value.text))
		if problem == "" {
			problem = c.missing(name, string(value.text))
		}
		if problem != "" {
			if err := c.found(r, name, problem); err != nil {
				return err
			}
		}
	}
	if c.family.Name == number.Family && withoutCodecs(r) {
		return c.found(r, "codecs", "no codecs: every door answers as if the number were unknown")
	}
	return nil
}

// missing names the first row that a reference looks for in vain.
func (c *checker) missing(column, text string) string {
	target := referenced(c.family.Name, column)
	ids := c.ids[target]
	if ids == nil {
		return ""
	}
	for id := range strings.SplitSeq(text, ",") {
		if id = strings.TrimSpace(id); id != "" && !ids.has(id) {
			return fmt.Sprintf("no row %s in %s", id, target)
		}
	}
	return ""
}

func withoutCodecs(r row) bool {
	column, ok := r.columns.Position("codecs")
	return ok && r.text(column) == nil
}

func (c *checker) found(r row, column, problem string) error {
	return c.yield(Finding{c.family.Name, typedKeyOf(c.family, r), column, problem})
}
