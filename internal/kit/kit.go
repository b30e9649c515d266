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

// lifetime is how many seconds PJSIP's caches keep an object.
const lifetime = 60

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
	alias := func(name, family string) string { return fmt.Sprintf("%s => curl,%s/rt/%s", name, o.URL, family) }
	own := func(family string) string { return alias(family, family) }
	set, err := template.New("").Funcs(template.FuncMap{"map": own, "alias": alias}).ParseFS(templates, "templates/*")
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
	}{o, lifetime}
	var out []File
	for _, entry := range names {
		var text strings.Builder
		if err := set.ExecuteTemplate(&text, entry.Name(), values); err != nil {
			return nil, fmt.Errorf("template %s of the kit: %w", entry.Name(), err)
		}
		out = append(out, File{entry.Name(), []byte(text.String())})
	}
	return out, nil
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
