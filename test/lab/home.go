package lab

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Program is the built asterism; Main makes it.
var Program string

// Main builds the program, runs what needs it, and removes it: the body of a
// package's TestMain, to be given to os.Exit.
func Main(run func() int) int {
	folder, err := os.MkdirTemp("", "asterism-test")
	if err != nil {
		panic(err)
	}
	Program = filepath.Join(folder, "asterism")
	build := exec.Command("go", "build", "-o", Program, "asterism/cmd/asterism")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	status := run()
	if err := os.RemoveAll(folder); err != nil {
		panic(err)
	}
	return status
}

// Home is a node's files: config, store, state.
type Home struct {
	Folder, Config string
}

// NewHome makes an empty store and a config with free ports. The lines of extra,
// whole tables of TOML, follow it.
func NewHome(t T, extra ...string) *Home {
	t.Helper()
	folder := t.TempDir()
	h := &Home{Folder: folder, Config: filepath.Join(folder, "asterism.toml")}
	text := fmt.Sprintf("[node]\nname = \"test\"\nstate = %q\n[store]\nurl = %q\n[asterisk]\nlisten = \"127.0.0.1:%d\"\n[people]\nlisten = \"127.0.0.1:%d\"\n",
		filepath.Join(folder, "state"), "sqlite:"+h.Database(), FreePort(t), FreePort(t))
	if err := os.WriteFile(h.Config, []byte(text+strings.Join(extra, "\n")+"\n"), 0o600); err != nil {
		t.Fatalf("%v", err)
	}
	h.Run(t, "init")
	return h
}

// Beside is another node's home on the same database, with a state folder of its own.
func (h *Home) Beside(t T, name string) *Home {
	t.Helper()
	text, err := os.ReadFile(h.Config)
	if err != nil {
		t.Fatalf("%v", err)
	}
	other := &Home{Folder: h.Folder, Config: filepath.Join(h.Folder, name+".toml")}
	changed := regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllStringFunc(string(text), func(string) string { return fmt.Sprintf("127.0.0.1:%d", FreePort(t)) })
	changed = strings.Replace(changed, `name = "test"`, fmt.Sprintf("name = %q", name), 1)
	changed = strings.Replace(changed, filepath.Join(h.Folder, "state"), filepath.Join(h.Folder, "state-"+name), 1)
	if err := os.WriteFile(other.Config, []byte(changed), 0o600); err != nil {
		t.Fatalf("%v", err)
	}
	return other
}

// Database is the SQLite file.
func (h *Home) Database() string { return filepath.Join(h.Folder, "asterism.db") }

// Command makes a command of the program with this home's config.
func (h *Home) Command(arguments ...string) *exec.Cmd {
	return exec.Command(Program, append(arguments, "--config", h.Config)...)
}

// Run runs a command to its end and gives what it printed.
func (h *Home) Run(t T, arguments ...string) string {
	t.Helper()
	command := h.Command(arguments...)
	var faults bytes.Buffer
	command.Stderr = &faults
	out, err := command.Output()
	if err != nil {
		t.Fatalf("asterism %s: %v\n%s%s", strings.Join(arguments, " "), err, out, faults.String())
	}
	return string(out)
}

// SQL runs statements with the plain sqlite3 program.
func (h *Home) SQL(t T, statements string) string {
	t.Helper()
	command := exec.Command("sqlite3", "-cmd", ".timeout 20000", h.Database())
	command.Stdin = strings.NewReader(statements)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("sqlite3 %.2000q: %v\n%s", statements, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Load loads rows of a family; the first row names the columns.
func (h *Home) Load(t T, family string, rows [][]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), family+".csv")
	writeCSV(t, path, ',', rows)
	h.Run(t, "load", family, path)
}
