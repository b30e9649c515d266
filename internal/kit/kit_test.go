package kit

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/asteriskconf"
	"asterism/internal/doctor"
	"asterism/internal/family"
)

func order(version int) Order {
	return Order{Version: version, Engine: "curl", URL: "http://127.0.0.1:8640", SystemName: "a1", SIP: "127.0.0.1:5060"}
}

// written writes the set of a version into a folder.
func written(t *testing.T, version int) string {
	t.Helper()
	files, err := Files(order(version))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "new", "folder")
	if err := Write(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

// mapped gives the families that the extconfig.conf of a folder maps.
func mapped(t *testing.T, folder string) map[string]string {
	t.Helper()
	opened, err := asteriskconf.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	file, err := opened.Read("extconfig.conf")
	if err != nil || len(file.Notes) > 0 {
		t.Fatal(err, file.Notes)
	}
	out := map[string]string{}
	for _, v := range file.Named("settings")[0].Variables {
		out[v.Name] = v.Value
	}
	return out
}

func TestDoctorFindsNothing(t *testing.T) {
	for _, version := range versions {
		opened, err := asteriskconf.Open(written(t, version))
		if err != nil {
			t.Fatal(err)
		}
		findings, err := doctor.Examine(opened, doctor.Release{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			t.Errorf("Asterisk %d: %s:%d: %s", version, f.File, f.Line, f.Problem)
		}
	}
}

func TestEveryFileIsReadWithoutARemark(t *testing.T) {
	for _, version := range versions {
		folder := written(t, version)
		opened, err := asteriskconf.Open(folder)
		if err != nil {
			t.Fatal(err)
		}
		names, err := filepath.Glob(filepath.Join(folder, "*.conf"))
		if err != nil || len(names) != 6 {
			t.Fatal(err, names)
		}
		for _, name := range names {
			file, err := opened.Read(filepath.Base(name))
			if err != nil || len(file.Notes) > 0 || len(file.Sections) == 0 {
				t.Errorf("%s: %v, %d sections, %v", name, err, len(file.Sections), file.Notes)
			}
		}
	}
}

func TestFamiliesAreThoseOfTheVersion(t *testing.T) {
	catalog := family.Standard()
	old, today := mapped(t, written(t, 16)), mapped(t, written(t, 22))
	for name, value := range old {
		f, err := catalog.Family(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if want := "curl,http://127.0.0.1:8640/rt/" + f.Name; value != want {
			t.Errorf("%s => %s, want %s", name, value, want)
		}
	}
	for _, name := range []string{"ps_endpoints", "ps_contacts", "numbers", "extensions", "queue_log", "iaxpeers", "iaxusers"} {
		if today[name] == "" {
			t.Errorf("%s is not mapped", name)
		}
	}
	for _, name := range []string{"ps_subscription_persistence", "voicemail_data", "global"} {
		if old[name] != "" || today[name] != "" {
			t.Errorf("%s is mapped", name)
		}
	}
	for _, name := range []string{"sippeers", "sipregs"} { // chan_sip is gone
		if old[name] == "" || today[name] != "" {
			t.Errorf("%s: %q on 16, %q on 22", name, old[name], today[name])
		}
		delete(old, name)
	}
	if diff := cmp.Diff(old, today); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsAskedForIsInTheFiles(t *testing.T) {
	o := order(22)
	o.URL, o.SystemName, o.SIP = "https://[2001:db8::1]:443", "node-7", "[::]:5070"
	files, err := Files(o)
	if err != nil {
		t.Fatal(err)
	}
	f := func(name, line string) {
		t.Helper()
		for _, file := range files {
			if file.Name == name && bytes.Contains(file.Text, []byte("\n"+line+"\n")) {
				return
			}
		}
		t.Errorf("%s has no line %q", name, line)
	}
	f("extconfig.conf", "ps_aors => curl,https://[2001:db8::1]:443/rt/ps_aors")
	f("extensions.conf", "ASTERISM = https://[2001:db8::1]:443")
	f("asterisk.conf", "systemname = node-7")
	f("pjsip.conf", "bind = [::]:5070")
	f("sorcery.conf", "contact=realtime,ps_contacts")
	f("sorcery.conf", "endpoint/cache=memory_cache,object_lifetime_maximum=60,expire_on_reload=yes")
}

func TestWrongOrdersAreExplainedAllAtOnce(t *testing.T) {
	f := func(change func(*Order), want ...string) {
		t.Helper()
		o := order(22)
		change(&o)
		_, err := Files(o)
		if err == nil {
			t.Fatalf("%+v is taken", o)
		}
		for _, part := range want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v, without %q", err, part)
			}
		}
	}
	f(func(o *Order) { o.Version = 18 }, "no set for Asterisk 18", "for 18 take 16")
	f(func(o *Order) { o.Engine = "native" }, "comes with the Asterisk module", "--engine curl")
	f(func(o *Order) { o.Engine = "odbc" }, `no engine "odbc"`)
	f(func(o *Order) { o.Version, o.Engine = 0, "" }, "no set for Asterisk 0", `no engine ""`)
	f(func(o *Order) { o.URL = "127.0.0.1:8640" }, "is no http URL")
	f(func(o *Order) { o.URL = "http://127.0.0.1:8640/rt" }, "more than a host and a port")
	f(func(o *Order) { o.URL = "http://a:b,c@127.0.0.1:8640" }, "Asterisk takes for its own")
	f(func(o *Order) { o.URL = "http://" + strings.Repeat("a", 200) }, "longer than 200 bytes")
	f(func(o *Order) { o.SystemName = "two words" }, "system name")
	f(func(o *Order) { o.SIP = "localhost" }, "ADDRESS:PORT")
}

func TestExistingFilesAreSeen(t *testing.T) {
	files, err := Files(order(22))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if existing, err := Existing(filepath.Join(folder, "none"), files); err != nil || len(existing) > 0 {
		t.Error(err, existing)
	}
	if err := os.Symlink("nowhere", filepath.Join(folder, "pjsip.conf")); err != nil {
		t.Fatal(err)
	}
	if existing, err := Existing(folder, files); err != nil || len(existing) != 1 || existing[0] != "pjsip.conf" {
		t.Error(err, existing)
	}
	if err := Write(folder, files); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != len(files) {
		t.Errorf("%d entries of %d files: %v", len(entries), len(files), err)
	}
}
