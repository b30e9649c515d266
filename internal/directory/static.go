package directory

import (
	"cmp"
	"slices"
	"strings"
)

// StaticLine is one line of a configuration file kept in a table (static
// realtime, family ast_config).
type StaticLine struct {
	Category, VarName, VarVal string
	CatMetric                 string
}

// maxIncludes bounds how deep files include each other.
const maxIncludes = 10

// HasStatic tells whether the table holds static files.
func (t *Table) HasStatic() bool {
	return len(missing(t.columns, []string{"filename", "category", "var_name", "var_val", "cat_metric", "var_metric"})) == 0
}

// Static gives the lines of a file in the order of the other engines:
// cat_metric descending, var_metric ascending, category, var_name; commented
// ones left out. An #include of a file that the table has is expanded in place,
// another is left for Asterisk.
func (t *Table) Static(file string) []StaticLine { return t.static(file, nil) }

func (t *Table) static(file string, parents []string) []StaticLine {
	if file == "" || slices.Contains(parents, file) || len(parents) > maxIncludes {
		return nil
	}
	rows := t.staticRows(file)
	out := make([]StaticLine, 0, len(rows))
	at := t.columns.exact
	for _, r := range rows {
		line := StaticLine{r.Text(at["category"]), r.Text(at["var_name"]), r.Text(at["var_val"]), orZero(r.Text(at["cat_metric"]))}
		if line.VarName == "#include" && len(t.staticRows(line.VarVal)) > 0 {
			out = append(out, t.static(line.VarVal, append(parents, file))...)
			continue
		}
		out = append(out, line)
	}
	return out
}

func (t *Table) staticRows(file string) []Row {
	var rows []Row
	at := t.columns.exact
	commented, hasCommented := at["commented"]
	t.Find(Query{Conditions: []Condition{{Column: []byte("filename"), Value: []byte(file)}}}, func(r Row) bool {
		if text := r.Text(commented); !hasCommented || text == "" || text == "0" {
			rows = append(rows, r)
		}
		return true
	})
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(
			-compareText(t.columns.kinds[at["cat_metric"]], orZero(a.Text(at["cat_metric"])), orZero(b.Text(at["cat_metric"]))),
			compareText(t.columns.kinds[at["var_metric"]], orZero(a.Text(at["var_metric"])), orZero(b.Text(at["var_metric"]))),
			strings.Compare(a.Text(at["category"]), b.Text(at["category"])),
			strings.Compare(a.Text(at["var_name"]), b.Text(at["var_name"])))
	})
	return rows
}

func orZero(text string) string {
	if text == "" {
		return "0"
	}
	return text
}
