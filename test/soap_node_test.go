package test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// nodeClient starts the program for Node.js with the package that
// clients/node/package-lock.json names, from a cache outside of the tree.
func nodeClient(t *testing.T, wsdl, version string) *exec.Cmd {
	t.Helper()
	command := exec.Command("node", filepath.Join("clients", "node", "client.js"), wsdl, version)
	command.Env = append(os.Environ(), "NODE_PATH="+nodeModules(t))
	return command
}

// nodeModules gives the folder with the installed packages. It is made once per
// lock file: beside its place, then renamed, so that two tests at a time agree.
func nodeModules(t *testing.T) string {
	t.Helper()
	lock, err := os.ReadFile("clients/node/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	sum := sha256.Sum256(lock)
	place := filepath.Join(cache, "asterism-test", "node-"+hex.EncodeToString(sum[:8]))
	modules := filepath.Join(place, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		t.Fatal(err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(place), "new")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	build(t, ".", "cp", "clients/node/package.json", "clients/node/package-lock.json", fresh)
	build(t, fresh, "npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund")
	if err := os.Rename(fresh, place); err != nil {
		if _, there := os.Stat(modules); there != nil {
			t.Fatal(err)
		}
	}
	return modules
}
