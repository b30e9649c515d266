package server

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"
)

// TestLimitsAreDocumented: docs/limits.md names every limit with its value.
func TestLimitsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range []string{"limits.go", "../realtime/pairs.go", "../trace/limits.go", "../absent/limits.go"} {
		for name, value := range limitsOf(t, file) {
			if row := "| `" + name + "` | " + value + " "; !strings.Contains(strings.ReplaceAll(string(page), ",", ""), row) {
				t.Errorf("docs/limits.md has no row %q for the limit in %s", row, file)
			}
			count++
		}
	}
	if rows := strings.Count(string(page), "\n| `"); rows != count || count < 10 {
		t.Errorf("docs/limits.md has %d rows for %d limits", rows, count)
	}
}

// limitsOf gives the exported constants of a file with their values, durations
// with their unit.
func limitsOf(t *testing.T, file string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	for _, d := range parsed.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			of, ok := spec.(*ast.ValueSpec)
			if ok && of.Names[0].IsExported() {
				out[of.Names[0].Name] = valueOf(t, of.Values[0])
			}
		}
	}
	return out
}

func valueOf(t *testing.T, expression ast.Expr) string {
	t.Helper()
	var text strings.Builder
	if err := printer.Fprint(&text, token.NewFileSet(), expression); err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer("time.Second", "1", "time.Minute", "60").Replace(text.String())
	value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, plain)
	if err != nil || value.Value.Kind() != constant.Int {
		t.Fatalf("%s: %v", plain, err)
	}
	if plain != text.String() {
		return value.Value.String() + " s"
	}
	return value.Value.String()
}
