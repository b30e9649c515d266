package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func TestFilesOfTheModule(t *testing.T) {
	folder := t.TempDir()
	f := func(option, text string, mode os.FileMode, want string) {
		t.Helper()
		name := filepath.Join(folder, strings.ReplaceAll(t.Name(), "/", "_")+option)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
		conf := "[general]\nserver = https://127.0.0.1:8640/soap\nuser = a\npassword_file = " + name + "\ntls_cert = " + name + "\n"
		if option != "password_file" {
			conf = "[general]\nserver = https://127.0.0.1:8640/soap\n" + option + " = " + name + "\n"
			if option == "tls_key" {
				conf += "tls_cert = " + name + "\n"
			}
		}
		got := report(examined(t, &txtar.Archive{Files: []txtar.File{
			{Name: "asterisk.conf", Data: []byte("[options]\nsystemname = a\n")},
			{Name: "extconfig.conf", Data: []byte("[settings]\nnumbers => asterism,main\n")},
			{Name: "asterism.conf", Data: []byte(conf)},
			{Name: "report"},
		}}))
		if want == "" && got != "" || !strings.Contains(got, want) || strings.Count(got, "\n") > 2 {
			t.Errorf("%s of mode %o with %q: %s, want %q", option, mode, text, got, want)
		}
	}
	f("password_file", "secret\n", 0o600, "")
	f("password_file", "secret", 0o640, "")
	f("password_file", "secret\r\nmore", 0o600, "")
	f("password_file", "secret\n", 0o644, "every user of the machine may read it")
	f("password_file", "\nsecret\n", 0o600, "its first line is empty")
	f("password_file", "\r\n", 0o600, "its first line is empty")
	f("password_file", "", 0o600, "its first line is empty")
	f("tls_key", "key", 0o640, "")
	f("tls_key", "key", 0o604, "every user of the machine may read it")
	f("tls_cert", "certificate", 0o644, "")
	f("ca_file", "certificate", 0o644, "")
}

func TestReleases(t *testing.T) {
	f := func(text string, want Release, tells string) {
		t.Helper()
		got, err := ParseRelease(text)
		if err != nil || got != want || got.tellsMisses() != (tells == "tells misses") {
			t.Errorf("%q is %v (%v), and tells misses: %v", text, got, err, got.tellsMisses())
		}
	}
	f("", Release{}, "")
	f("16.28.0~dfsg-0+deb11u4", Release{16, 28}, "")
	f("18.99", Release{18, 99}, "")
	f("20.15.2", Release{20, 15}, "")
	f("20.16.0", Release{20, 16}, "tells misses")
	f("certified/20.7-cert4", Release{20, 7}, "")
	f("certified-22.8-cert1", Release{22, 8}, "tells misses")
	f("21.10.9", Release{21, 10}, "")
	f("21.11", Release{21, 11}, "tells misses")
	f("22.5.2-rc1", Release{22, 5}, "")
	f("22.10.1", Release{22, 10}, "tells misses")
	f("23.0.0", Release{23, 0}, "tells misses")
	for _, text := range []string{"22", "x", "22.", "22.6 ", "-1.2", "22.x", "22.6/3"} {
		if got, err := ParseRelease(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}
