package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Module builds the module of this checkout for a release, once for all processes of
// the lab, and gives a folder, as seen from inside the release's root, that has it
// beside Asterisk's own modules. variables are make's, NAME=value: another build.
func (r Release) Module(t T, variables ...string) string {
	t.Helper()
	root, sources := r.Root(t), filepath.Join(checkout(t), "asterisk")
	place := filepath.Join("/lab-modules", digest(t, sources, variables))
	if err := os.MkdirAll(filepath.Join(root, place), 0o755); err != nil {
		t.Fatalf("%v", err)
	}
	lock, err := os.OpenFile(filepath.Join(root, place, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatalf("%v", err)
	}
	modules := filepath.Join(place, "modules")
	if _, err := os.Stat(filepath.Join(root, modules)); err == nil {
		return modules
	}
	if out, err := r.build(root, place, sources, variables); err != nil {
		t.Fatalf("build the module for asterisk %s: %v\n%s", r.Name, err, out)
	}
	return modules
}

// build makes the module in a folder of the root; the folder of modules is renamed to
// its name when all is there. A warning about our own files is a failure.
func (r Release) build(root, place, sources string, variables []string) (out []byte, err error) {
	if err := os.RemoveAll(filepath.Join(root, place, "src")); err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(root, place, "src"), os.DirFS(sources)); err != nil {
		return nil, err
	}
	script := fmt.Sprintf(`set -e
cd %s
rm -rf src/build fresh
make -s -C src WARNINGS='-Wall -Wextra -Werror' %s
own=$(ls -d /usr/lib/*/asterisk/modules /usr/lib/asterisk/modules 2>/dev/null | head -1)
mkdir fresh
ln -s "$own"/*.so fresh/
make -s -C src install ASTMODDIR=%s/fresh
mv -T fresh modules`, place, strings.Join(variables, " "), place)
	return exec.Command("chroot", root, "sh", "-c", script).CombinedOutput()
}

// digest names what is built by its sources and variables.
func digest(t T, folder string, variables []string) string {
	t.Helper()
	sum := sha256.New()
	fmt.Fprintln(sum, variables)
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", strings.TrimPrefix(path, folder), len(text), text)
		return err
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// checkout is the folder of this repository.
func checkout(t T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatalf("go env GOMOD: %v", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}
