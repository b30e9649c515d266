package config

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// keptPrefix starts the names of the tables that Asterism keeps for itself.
const keptPrefix = "asterism_"

func (r *reader) checkFamilies() {
	families := r.config.Families
	for i, table := range families.Extra {
		problem := tableProblem(table)
		if problem == "" && slices.Contains(families.Extra[:i], table) {
			problem = quoted(table) + " stands there twice"
		}
		if problem != "" {
			r.itemFault("families.extra", i, problem, "write the name of a table of yours, once")
		}
	}
	r.checkListings()
	for table, indexes := range inOrder(families.Index) {
		key := r.checkName("families.index", table)
		for i := range indexes {
			indexes[i] = r.checkIndex(key, i, indexes[i])
		}
	}
}

// checkName checks a table's name on the left of `=` and returns its key.
func (r *reader) checkName(section, table string) (key string) {
	key = section + "." + spell([]string{table})
	if !plainName(table) {
		r.fault(key, quoted(table)+" is no plain SQL name", "write a name of letters, digits and _")
	}
	return key
}

// checkIndex returns the columns of an index without the blanks around them.
func (r *reader) checkIndex(key string, item int, index string) string {
	columns := strings.Split(index, ",")
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
	}
	if problem := columnsProblem(columns); problem != "" {
		r.itemFault(key, item, quoted(index)+" "+problem, `write columns joined by commas, as in ["context,transport"]`)
	}
	return strings.Join(columns, ",")
}

func columnsProblem(columns []string) string {
	for i, column := range columns {
		switch {
		case !plainName(column):
			return "is no list of columns"
		case slices.Contains(columns[:i], column):
			return "has a column twice"
		}
	}
	return ""
}

// checkTables knows only the tables that exist: another name would be a typing
// error that silently renames nothing.
func (r *reader) checkTables() {
	for own, table := range inOrder(r.config.Tables) {
		key := "tables." + spell([]string{own})
		if own != "numbers" {
			r.fault(key, quoted(own)+" is no table of Asterism's own", "remove it; there is numbers")
		}
		if problem := tableProblem(table); problem != "" {
			r.fault(key, problem, "write the name of a table")
		}
	}
}

func tableProblem(table string) string {
	switch {
	case !plainName(table):
		return quoted(table) + " is no plain SQL name"
	case strings.HasPrefix(strings.ToLower(table), keptPrefix):
		return quoted(table) + " is a table that Asterism keeps for itself"
	}
	return ""
}

// inOrder visits a map by its keys, so that the same file gives the same report.
func inOrder[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}
