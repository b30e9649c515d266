package asterisk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"asterism/test/lab"
)

// kit gives the files that `asterism kit` writes for a release and a node, and the
// port of their SIP transport. The instance keeps its own asterisk.conf, where its
// folders stand.
func kit(t *testing.T, release lab.Release, node *lab.Node) (files map[string]string, sip int) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "kit")
	sip = lab.FreePort(t)
	command := exec.Command(lab.Program, "kit", "--asterisk", release.Name, "--engine", string(release.Engine), "--out", folder,
		"--url", "http://"+node.Asterisk, "--sip", fmt.Sprintf("127.0.0.1:%d", sip))
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, entry := range entries {
		if entry.Name() == "asterisk.conf" || filepath.Ext(entry.Name()) != ".conf" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(text)
	}
	return files, sip
}
