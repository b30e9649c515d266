package config

import (
	"fmt"
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
	for table, listing := range inOrder(families.Listing) {
		key := r.checkName("families.listing", table)
		if listing != ListAll && listing != ListActive && listing != ListNone {
			r.fault(key, quoted(listing)+" is none of all, active and none", "write all, active or none")
		}
	}
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

func (r *reader) checkClients() {
	for name, client := range inOrder(r.config.Clients) {
		section := "clients." + name
		user, passwordFile := section+".user", section+".password_file"
		switch {
		case client.User != "" && client.PasswordFile == "":
			r.missing(r.config.lines[user], passwordFile, "is missing beside "+user, "name the file that holds the password")
		case client.User == "" && client.PasswordFile != "":
			r.missing(r.config.lines[passwordFile], user, "is missing beside "+passwordFile, "write the name that the client logs in with")
		}
		for family, table := range inOrder(client.Tables) {
			key := r.checkName(section+".tables", family)
			if problem := tableProblem(table); problem != "" {
				r.fault(key, problem, "write the name of a table")
			}
		}
	}
}

// clientNameProblem returns what is wrong with NAME in [clients.NAME], or nothing.
func clientNameProblem(name string) string {
	if !bare(name) || len(name) > nameLimit {
		return fmt.Sprintf("%s is not a name of 1 to %d letters, digits, - and _", quoted(name), nameLimit)
	}
	return ""
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
