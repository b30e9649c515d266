package test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rows are the layers of the design from the top down: a package may import
// packages of lower rows only, but for what extra names.
var rows = [][]string{
	{"cmd"},
	{"cli"},
	{"server", "bench", "config", "doctor", "kit", "asteriskconf"},
	{"realtime", "soap", "fastagi", "restapi", "console", "metrics", "http1"},
	{"control", "access"},
	{"store", "feed", "spool"},
	{"directory", "number", "routing", "trace", "absent"},
	{"family", "failure", "meter", "examples", "asterisk"}, // the last two are embedded sources and import nothing
}

// extra are the imports within a row that the design allows.
var extra = map[[2]string]bool{
	{"server", "config"}:       true, // it assembles
	{"doctor", "asteriskconf"}: true,
	{"feed", "store"}:          true,
	{"spool", "store"}:         true,
	{"number", "directory"}:    true,
	{"routing", "directory"}:   true, {"routing", "number"}: true,
	{"trace", "directory"}:  true,
	{"absent", "directory"}: true,
	{"family", "failure"}:   true,
}

const root = ".."

func rowOf(name string) int {
	for i, row := range rows {
		if slices.Contains(row, name) {
			return i
		}
	}
	return -1
}

// sources yields every Go file of ours with its imports.
func sources(t *testing.T, yield func(path, pkg string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		parts := strings.Split(filepath.ToSlash(path), "/")
		pkg := parts[1]
		if pkg == "internal" {
			pkg = parts[2]
		}
		var imports []string
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, name)
		}
		yield(path, pkg, imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImportsPointDown(t *testing.T) {
	seen := 0
	sources(t, func(path, pkg string, imports []string) {
		if pkg == "test" || pkg == "tools" || strings.HasSuffix(path, "_test.go") {
			return
		}
		from := rowOf(pkg)
		if from < 0 {
			t.Errorf("%s: package %s has no row in the layers", path, pkg)
		}
		for _, name := range imports {
			imported, ours := strings.CutPrefix(name, "asterism/internal/")
			if !ours {
				continue
			}
			seen++
			to := rowOf(imported)
			if to > from || extra[[2]string{pkg, imported}] {
				continue
			}
			t.Errorf("%s imports %s, which is not below it", path, imported)
		}
	})
	if seen < 50 {
		t.Errorf("only %d imports looked at: does the walk still find the sources?", seen)
	}
}

func TestEachLibraryHasOneImporter(t *testing.T) {
	importers := map[string]map[string]bool{}
	sources(t, func(path, pkg string, imports []string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, name := range imports {
			host, _, _ := strings.Cut(name, "/")
			if !strings.Contains(host, ".") {
				continue
			}
			parts := strings.SplitN(name, "/", 4)
			module := strings.Join(parts[:min(3, len(parts))], "/")
			if importers[module] == nil {
				importers[module] = map[string]bool{}
			}
			importers[module][pkg] = true
		}
	})
	for module, packages := range importers {
		if len(packages) > 1 {
			t.Errorf("%s is imported by %v; one package imports a library", module, packages)
		}
	}
}

func TestNoFileIsLong(t *testing.T) {
	const most = 400
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "build" || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if entry.IsDir() || entry.Name() == "go.sum" || entry.Name() == "LICENSE" || entry.Name() == "asterism" || filepath.Ext(path) == ".wsdl" { // who reads a WSDL wants one document
			return nil
		}
		text, err := os.ReadFile(path)
		if lines := strings.Count(string(text), "\n"); lines > most {
			t.Errorf("%s has %d lines, more than %d: split it by subject", path, lines, most)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
