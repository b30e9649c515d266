package lab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Asterisk is a running instance with files of its own.
type Asterisk struct {
	Release Release
	SIP     int           // UDP port of the PJSIP transport on 127.0.0.1
	Boot    time.Duration // from the start of the process to fully booted
	BootCPU time.Duration // what it spent on that

	root, folder  string // the chroot; the instance's folder as seen from inside
	modulesFolder string // as seen from inside; empty: where Debian has them
	process       *exec.Cmd
	out           *Log
	ended         chan struct{}
}

// Settings say how an instance is to be.
type Settings struct {
	Name string // systemname; default "lab"
	SIP  int    // port of the PJSIP transport; default a free one
	// Node is the address of the node that is asked for Families, over the release's
	// engine; none: no realtime. A family "a=b" is a with the rows of family b.
	Node     string
	Families []string
	Workers  int               // threads of PJSIP from the start; 0: what Asterisk chooses
	Files    map[string]string // configuration files instead of, or beside, the lab's own
	Load     []string          // modules that the lab leaves out otherwise
	Build    []string          // make's variables for the native module, NAME=value
	// Environment of the process, NAME=value; @ at the start of a value is the
	// instance's folder.
	Environment []string
}

// bootTimeout is for 20,000 endpoints over the slowest driver.
const bootTimeout = 10 * time.Minute

// Start starts an instance and returns once it is fully booted.
func (r Release) Start(t T, s Settings) *Asterisk {
	t.Helper()
	a := r.Prepare(t, s)
	a.Run(t, s.Environment...)
	return a
}

// Prepare makes the files of an instance without starting it.
func (r Release) Prepare(t T, s Settings) *Asterisk {
	t.Helper()
	root := r.Root(t)
	if err := os.MkdirAll(filepath.Join(root, "lab"), 0o755); err != nil {
		t.Fatalf("%v", err)
	}
	folder, err := os.MkdirTemp(filepath.Join(root, "lab"), "a")
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Errorf("%v", err)
		}
	})
	if s.SIP == 0 {
		s.SIP = FreePort(t)
	}
	a := &Asterisk{Release: r, SIP: s.SIP, root: root, folder: "/lab/" + filepath.Base(folder)}
	for _, name := range []string{"etc", "lib", "lib/keys", "spool", "run", "log", "tmp"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatalf("%v", err)
		}
	}
	a.WriteFile(t, "moh/silence.sln", strings.Repeat("\x00", 16000)) // a second of music
	if _, has := s.Files["asterism.conf"]; has || r.Engine == Native && s.Node != "" {
		a.modulesFolder = r.Module(t, s.Build...)
	}
	for name, text := range a.files(t, s) {
		a.WriteFile(t, "etc/"+name, text)
	}
	return a
}

// withProc gives a program in a root /proc, as it has everywhere else, until it ends.
// Addresses are the same each time: the sanitizers of older compilers trip over some.
const withProc = `mount -t proc proc "$0/proc" && exec setarch --addr-no-randomize chroot "$0" "$@"`

// Run starts the prepared instance, again if it has ended.
func (a *Asterisk) Run(t T, environment ...string) {
	t.Helper()
	a.process = exec.Command("unshare", "--mount", "sh", "-c", withProc, a.root, "asterisk", "-C", a.folder+"/etc/asterisk.conf", "-f", "-n")
	a.process.Env = os.Environ()
	for _, variable := range environment {
		a.process.Env = append(a.process.Env, strings.Replace(variable, "=@", "="+a.folder+"/", 1))
	}
	a.process.SysProcAttr = dieWithUs()
	a.out, a.ended = &Log{}, make(chan struct{})
	a.process.Stdout, a.process.Stderr = a.out, a.out
	began := time.Now()
	if err := a.process.Start(); err != nil {
		t.Fatalf("%v", err)
	}
	ended, process := a.ended, a.process
	go func() {
		_ = process.Wait() // how it ended is in its log
		close(ended)
	}()
	t.Cleanup(func() { a.Stop(t) })
	Eventually(t, bootTimeout, "Asterisk is fully booted", func() bool {
		select {
		case <-ended:
			t.Fatalf("asterisk %s ended at once\n%s\n%s", a.Release.Name, a.out, a.Log(t))
		default:
		}
		if _, err := os.Stat(a.Outside("run/asterisk.ctl")); err != nil {
			return false
		}
		out, err := a.command("core waitfullybooted").CombinedOutput() // waits inside
		return err == nil && strings.Contains(string(out), "fully booted")
	})
	a.Boot, a.BootCPU = time.Since(began), a.CPU(t)
}

// Stop ends the instance at once, as an operator would ("core stop now"); what
// does not listen is killed.
func (a *Asterisk) Stop(t T) {
	t.Helper()
	if a.process == nil {
		return
	}
	_, _ = a.command("core stop now").CombinedOutput() // it may not listen any more
	select {
	case <-a.ended:
	case <-time.After(30 * time.Second):
		t.Errorf("asterisk %s does not stop: killed", a.Release.Name)
		if err := syscall.Kill(-a.process.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Errorf("%v", err)
		}
		<-a.ended
	}
	a.process = nil
}

func (a *Asterisk) command(line string) *exec.Cmd {
	return exec.Command("chroot", a.root, "asterisk", "-C", a.folder+"/etc/asterisk.conf", "-rx", line)
}

// CLI runs a command as `asterisk -rx` does and gives what it printed.
func (a *Asterisk) CLI(t T, format string, values ...any) string {
	t.Helper()
	line := fmt.Sprintf(format, values...)
	out, err := a.command(line).CombinedOutput()
	if err != nil {
		t.Fatalf("asterisk -rx %q: %v\n%s\n%s", line, err, out, a.Log(t))
	}
	return string(out)
}

// Log is what the instance wrote of notices, warnings and errors.
func (a *Asterisk) Log(t T) string {
	t.Helper()
	return a.ReadFile(t, "log/messages")
}

// Faults are the lines of the log that are warnings or errors.
func (a *Asterisk) Faults(t T) []string {
	t.Helper()
	var faults []string
	for line := range strings.Lines(a.Log(t)) {
		if strings.Contains(line, "WARNING[") || strings.Contains(line, "ERROR[") {
			faults = append(faults, strings.TrimSpace(line))
		}
	}
	return faults
}

// Inside is a path of the instance's folder as the instance sees it.
func (a *Asterisk) Inside(name string) string { return a.folder + "/" + name }

// Outside is the same path as the test sees it.
func (a *Asterisk) Outside(name string) string { return filepath.Join(a.root, a.folder, name) }

// WriteFile writes a file of the instance's folder.
func (a *Asterisk) WriteFile(t T, name, text string) {
	t.Helper()
	path := a.Outside(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatalf("%v", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatalf("%v", err)
	}
}

// ReadFile reads one; a file that is not there is empty.
func (a *Asterisk) ReadFile(t T, name string) string {
	t.Helper()
	text, err := os.ReadFile(a.Outside(name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("%v", err)
	}
	return string(text)
}

// CPU is the user and system time that the instance has used so far.
func (a *Asterisk) CPU(t T) time.Duration {
	t.Helper()
	return CPU(t, a.process.Process.Pid)
}

// Memory is what the instance has written to, in bytes, beside files: it would be
// free if the instance were not there.
func (a *Asterisk) Memory(t T) int {
	t.Helper()
	path := fmt.Sprintf("/proc/%d/smaps_rollup", a.process.Process.Pid)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for line := range strings.Lines(string(text)) {
		var kilobytes int
		if n, _ := fmt.Sscanf(line, "Anonymous: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	t.Fatalf("%s says nothing of anonymous memory: %s", path, text)
	return 0
}
