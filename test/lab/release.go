package lab

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// Release is an Asterisk that setup.sh made.
type Release struct {
	Name   string // major version: "16", "22"
	Suite  string // of Debian, whose packages it is
	Engine Engine // what its instances ask a node by
}

// The two that the lab has: the last with chan_sip and the newest.
var (
	Asterisk16 = Release{Name: "16", Suite: "bullseye"}
	Asterisk22 = Release{Name: "22", Suite: "sid"}
)

// Releases is both, for tests that must hold on each.
var Releases = []Release{Asterisk16, Asterisk22}

// Is says whether it is the other one, whatever engines they ask by.
func (r Release) Is(other Release) bool { return r.Name == other.Name }

// With is the release whose instances ask by an engine.
func (r Release) With(engine Engine) Release {
	r.Engine = engine
	return r
}

// Root is the folder that the release lives in; it skips, or fails in CI, when
// there is none.
func (r Release) Root(t T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatalf("%v", err)
	}
	root := filepath.Join(cache, "asterism-test", "asterisk-"+r.Suite)
	if _, err := os.Stat(filepath.Join(root, "usr/sbin/asterisk")); err != nil || os.Getuid() != 0 {
		missing(t, "asterisk-"+r.Name)
	}
	return root
}

// Version asks the program, since the suites move: "22.10.1", say.
func (r Release) Version(t T) string {
	t.Helper()
	out, err := exec.Command("chroot", r.Root(t), "asterisk", "-V").Output()
	if err != nil {
		t.Fatalf("asterisk -V: %v", err)
	}
	return regexp.MustCompile(`[\d.]+`).FindString(string(out))
}
