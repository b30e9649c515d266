package kit

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// lifetimes are how many seconds PJSIP's caches keep an object. Nobody tells them
// of a change with curl. Our module does, as long as a server answers it.
var lifetimes = map[string]int{Curl: 60, Native: 600}

// only are files that belong to one engine.
var only = map[string]string{"res_curl.conf": Curl, "asterism.conf": Native}

//go:embed templates/*
var templates embed.FS

// Notes is the file that says what to do with the others.
const Notes = "README.asterism"

// File is one file of a set.
type File struct {
	Name string
	Text []byte
}

// Files makes the set of an order, in order of names.
func Files(o Order) ([]File, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	set, err := template.New("").Funcs(o.mappings()).ParseFS(templates, "templates/*")
	if err != nil {
		return nil, fmt.Errorf("templates of the kit: %w", err)
	}
	names, err := fs.ReadDir(templates, "templates")
	if err != nil {
		return nil, fmt.Errorf("templates of the kit: %w", err)
	}
	values := struct {
		Order
		Lifetime int
	}{o, lifetimes[o.Engine]}
	var out []File
	for _, entry := range names {
		if engine, ok := only[entry.Name()]; ok && engine != o.Engine {
			continue
		}
		var text strings.Builder
		if err := set.ExecuteTemplate(&text, entry.Name(), values); err != nil {
			return nil, fmt.Errorf("template %s of the kit: %w", entry.Name(), err)
		}
		out = append(out, File{entry.Name(), []byte(text.String())})
	}
	return out, nil
}

// mappings are the templates' words for the lines of extconfig.conf: map is one of
// a family, alias of a family that is a table of another name, file of a file.
func (o Order) mappings() template.FuncMap {
	alias := func(name, table string) string {
		switch {
		case !o.Native():
			return fmt.Sprintf("%s => curl,%s/rt/%s", name, o.URL(), table)
		case name == table:
			return name + " => asterism,main"
		}
		return fmt.Sprintf("%s => asterism,main,%s", name, table)
	}
	own := func(family string) string { return alias(family, family) }
	file := func(name string) string {
		if o.Native() {
			return own(name)
		}
		return alias(name, "ast_config")
	}
	return template.FuncMap{"map": own, "alias": alias, "file": file}
}

// Existing gives the names of the files that the folder has already.
func Existing(folder string, files []File) ([]string, error) {
	var out []string
	for _, f := range files {
		_, err := os.Lstat(filepath.Join(folder, f.Name))
		switch {
		case err == nil:
			out = append(out, f.Name)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("look for files of the kit: %w", err)
		}
	}
	return out, nil
}

// Write writes the files into the folder, which it makes, over what is there.
// Nobody else may read them in part: each is written beside its place first.
func Write(folder string, files []File) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("folder for the kit: %w", err)
	}
	for _, f := range files {
		if err := replace(filepath.Join(folder, f.Name), f.Text); err != nil {
			return fmt.Errorf("write the kit: %w", err)
		}
	}
	return nil
}

func replace(path string, text []byte) error {
	beside := path + ".new"
	if err := os.WriteFile(beside, text, 0o644); err != nil {
		return err
	}
	return os.Rename(beside, path)
}
