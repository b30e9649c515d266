package asteriskconf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// limits bound one File with all that it includes.
type limits struct {
	depth     int // files within files
	files     int // that are opened
	bytes     int // of all of them
	inherited int // lines that sections copy from others
}

// standard is what Open allows: the depth is Asterisk's own, the rest is room
// for a folder with every phone in a file.
var standard = limits{depth: 10, files: 10_000, bytes: 64 << 20, inherited: 4_000_000}

// Folder is an Asterisk configuration folder.
type Folder struct {
	root   fs.FS  // of the whole file system, since includes may be absolute
	path   string // the folder in it, without the first slash
	limits limits
}

// Open names a folder; nothing is read yet.
func Open(name string) (*Folder, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("folder %s: %w", name, err)
	}
	found, err := os.Stat(absolute)
	if err != nil {
		return nil, fmt.Errorf("folder %s: %w", name, errors.Unwrap(err))
	}
	if !found.IsDir() {
		return nil, fmt.Errorf("folder %s: not a folder", name)
	}
	return in(os.DirFS("/"), filepath.ToSlash(absolute)), nil
}

// in makes a folder of any file system.
func in(root fs.FS, absolute string) *Folder {
	return &Folder{root: root, path: inRoot(absolute), limits: standard}
}

func inRoot(absolute string) string {
	if trimmed := strings.TrimPrefix(path.Clean(absolute), "/"); trimmed != "" {
		return trimmed
	}
	return "."
}

// Read reads a file of the folder with all that it includes. The error is about
// the file itself (fs.ErrNotExist); what is wrong in it stands in its notes.
func (d *Folder) Read(name string) (*File, error) {
	r := &reading{folder: d, file: &File{Name: name}, named: make(map[string][]*Section)}
	at := d.resolve(name)
	text, err := r.open(at)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", d.show(at), err)
	}
	r.lines(d.show(at), text)
	return r.file, nil
}

// resolve gives the place in the root of a name that stands in a file.
func (d *Folder) resolve(name string) string {
	if strings.HasPrefix(name, "/") {
		return inRoot(name)
	}
	return inRoot(path.Join("/", d.path, name))
}

// show gives a place as a person knows it.
func (d *Folder) show(at string) string {
	if d.path == "." {
		return at
	}
	if inside, ok := strings.CutPrefix(at, d.path+"/"); ok {
		return inside
	}
	return "/" + at
}

// match gives the files that an include means: itself, or what its pattern fits.
// A pattern leaves names with a first dot alone, as glob(3) does.
func (d *Folder) match(name string) ([]string, error) {
	at := d.resolve(name)
	if !strings.ContainsAny(at, `*?[`) {
		return []string{at}, nil
	}
	found, err := fs.Glob(d.root, at)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(path.Base(at), ".") {
		found = slices.DeleteFunc(found, func(one string) bool { return strings.HasPrefix(path.Base(one), ".") })
	}
	slices.Sort(found)
	return found, nil
}
