package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAPasswordForANodeIsUsedAndNeverShown: it is part of --server.
func TestAPasswordForANodeIsUsedAndNeverShown(t *testing.T) {
	h := newHome(t)
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("geheim\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(h.file)
	if err != nil {
		t.Fatal(err)
	}
	section := "\n[clients.oslo]\nuser = \"oslo\"\npassword_file = \"" + password + "\"\n"
	if err := os.WriteFile(h.file, append(text, section...), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must("set", "numbers", "1", "codecs=ulaw")
	h.serve()
	at := strings.TrimPrefix(h.url, "http://")
	if got := run(t, "lookup", "1", "--server", "http://oslo:geheim@"+at); got.out != "ulaw\n" {
		t.Errorf("the right password gets %+v", got)
	}
	f := func(want, server string) {
		t.Helper()
		got := run(t, "lookup", "1", "--server", server)
		if got.code != bad || !strings.Contains(got.err, want) || strings.Contains(got.err, "geheim") {
			t.Errorf("%s: %+v", server, got)
		}
	}
	f("answers 401 Unauthorized\nhint: log in with --server https://USER:PASSWORD@HOST:PORT", h.url)
	f("http://oslo:xxxxx@"+at+" answers 401", "http://oslo:geheim2@"+at)
	f("ask the node at http://oslo:xxxxx@127.0.0.1:1", "http://oslo:geheim@127.0.0.1:1")
	f("is no address of a node", "oslo:geheim@"+at)
	f("is no address of a node", "http://oslo:ge%heim@"+at)
	f("is no address of a node", "ftp://oslo:geheim@"+at)
}
