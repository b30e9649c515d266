package access

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asterism/internal/failure"
)

func TestAPasswordFileHasOneLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "password")
	f := func(text, want string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadPassword("clients.oslo.password_file", path)
		if want == "" {
			fault, ok := err.(*failure.Error)
			if !ok || fault.Field != "clients.oslo.password_file" || !strings.Contains(err.Error(), path) {
				t.Errorf("%q: %v", text, err)
			}
			if strings.Contains(text, "geheim") && strings.Contains(fmt.Sprint(err), "geheim") {
				t.Errorf("the error shows the password: %v", err)
			}
			return
		}
		if err != nil || got.credential.equal([]byte(want)) != 1 {
			t.Errorf("%q is not read as %q: %v", text, want, err)
		}
	}
	long := strings.Repeat("x", MaxCredential)
	f("geheim", "geheim")
	f("geheim\n", "geheim")
	f("geheim\r\n", "geheim")
	f(" two words \n", " two words ")
	f(long+"\r\n", long)
	f("", "")
	f("\n", "")
	f("geheim\nmore\n", "")
	f("geheim\n\n", "")
	f(long+"x", "")
	f(long+"x\n", "")
	f(strings.Repeat("x", 1<<20), "")
}

func TestAPasswordFileThatIsNotThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "absent")
	_, err := ReadPassword("clients.oslo.password_file", path)
	if err == nil || strings.Count(err.Error(), "no such file") != 1 || !strings.Contains(err.Error(), "chmod 600 "+path) {
		t.Error(err)
	}
}

func TestAPasswordIsNeverShown(t *testing.T) {
	p := password(t, "geheim")
	for _, text := range []string{fmt.Sprint(p), fmt.Sprintf("%v %+v %#v %s", p, p, p, p), fmt.Sprintf("%+v", Client{User: "a", Password: p})} {
		if strings.Contains(text, "geheim") || !strings.Contains(text, "[secret]") {
			t.Errorf("it is shown as %s", text)
		}
	}
}
