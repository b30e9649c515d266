package kit

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/asteriskconf"
	"asterism/internal/doctor"
	"asterism/internal/family"
)

func order(version int) Order {
	return Order{Version: version, Engine: Curl, URLs: []string{"http://127.0.0.1:8640"}, SystemName: "a1", SIP: "127.0.0.1:5060"}
}

// orders are one of each version and engine.
func orders() []Order {
	var out []Order
	for _, version := range versions {
		native := order(version)
		native.Engine = Native
		out = append(out, order(version), native)
	}
	return out
}

// text is that of one file of an order.
func text(t *testing.T, o Order, name string) []byte {
	t.Helper()
	files, err := Files(o)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(files, func(f File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no file %s", name)
	}
	return files[i].Text
}

// written writes the set of an order into a folder.
func written(t *testing.T, o Order) string {
	t.Helper()
	files, err := Files(o)
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
	for _, o := range orders() {
		opened, err := asteriskconf.Open(written(t, o))
		if err != nil {
			t.Fatal(err)
		}
		findings, err := doctor.Examine(opened, doctor.Release{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			t.Errorf("Asterisk %d, %s: %s:%d: %s", o.Version, o.Engine, f.File, f.Line, f.Problem)
		}
	}
}

func TestEveryFileIsReadWithoutARemark(t *testing.T) {
	for _, o := range orders() {
		folder := written(t, o)
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

// Templates leave nothing of themselves behind, nor blank lines where a part was for
// another engine.
func TestNoTraceOfTheTemplates(t *testing.T) {
	for _, o := range orders() {
		files, err := Files(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, trace := range []string{"{{", "<no value>", "\n\n\n", " \n"} {
				if bytes.Contains(f.Text, []byte(trace)) {
					t.Errorf("Asterisk %d, %s: %s has %q", o.Version, o.Engine, f.Name, trace)
				}
			}
			if bytes.HasPrefix(f.Text, []byte("\n")) || !bytes.HasSuffix(f.Text, []byte("\n")) || bytes.HasSuffix(f.Text, []byte("\n\n")) {
				t.Errorf("Asterisk %d, %s: %s begins or ends badly", o.Version, o.Engine, f.Name)
			}
		}
	}
}

func TestEnginesMapTheSameFamilies(t *testing.T) {
	for _, version := range versions {
		native := order(version)
		native.Engine = Native
		curl, module := mapped(t, written(t, order(version))), mapped(t, written(t, native))
		for name, value := range curl {
			table := strings.TrimPrefix(value, "curl,http://127.0.0.1:8640/rt/")
			want := "asterism,main"
			if table != name {
				want += "," + table
			}
			if module[name] != want {
				t.Errorf("Asterisk %d: %s => %s, want %s", version, name, module[name], want)
			}
			delete(module, name)
		}
		if len(module) > 0 {
			t.Errorf("Asterisk %d: mapped for native only: %v", version, module)
		}
	}
}

// The module's set has nothing that only stock curl needs, and the other way round.
func TestNothingOfTheOtherEngine(t *testing.T) {
	other := map[string][]string{
		Curl:   {"=> asterism,", "res_config_asterism", "ASTERISM_CODECS(", "asterism.conf"},
		Native: {"=> curl,", "res_config_curl", "res_curl", "func_curl", "CURL(", "httptimeout", "/rt/"},
	}
	for _, o := range orders() {
		files, err := Files(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, word := range other[o.Engine] {
				if bytes.Contains(f.Text, []byte(word)) || strings.Contains(f.Name, word) {
					t.Errorf("Asterisk %d, %s: %s has %q", o.Version, o.Engine, f.Name, word)
				}
			}
		}
	}
}

func TestFamiliesAreThoseOfTheVersion(t *testing.T) {
	catalog := family.Standard()
	old, today := mapped(t, written(t, order(16))), mapped(t, written(t, order(22)))
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
	o.URLs, o.SystemName, o.SIP = []string{"https://[2001:db8::1]:443"}, "node-7", "[::]:5070"
	f := func(name, line string) {
		t.Helper()
		if !bytes.Contains(text(t, o, name), []byte("\n"+line+"\n")) {
			t.Errorf("%s has no line %q", name, line)
		}
	}
	f("extconfig.conf", "ps_aors => curl,https://[2001:db8::1]:443/rt/ps_aors")
	f("extensions.conf", "ASTERISM = https://[2001:db8::1]:443")
	f("asterisk.conf", "systemname = node-7")
	f("pjsip.conf", "bind = [::]:5070")
	f("sorcery.conf", "contact=realtime,ps_contacts")
	f("sorcery.conf", "endpoint/cache=memory_cache,object_lifetime_maximum=60,expire_on_reload=yes")

	o.Engine = Native
	f("extconfig.conf", "ps_aors => asterism,main")
	f("asterism.conf", "server = https://[2001:db8::1]:443/soap")
	f("asterism.conf", "answer_timeout = 10000") // nobody else could be asked
	f("asterism.conf", "ps_endpoint_id_ips = res_pjsip/identify")
	f("sorcery.conf", "endpoint/cache=memory_cache,object_lifetime_maximum=600,expire_on_reload=yes")
	f("extensions.conf", " same => n,Set(__ASTERISM_CODECS=${ASTERISM_CODECS(${NUMBER})})")
	f("extensions.conf", " same => n,Set(__ASTERISM_CODECS=${REALTIME_FIELD(numbers,number,${NUMBER},codecs)})")
	f("README.asterism", "  make -C asterisk")

	if bytes.Contains(text(t, o, "sorcery.conf"), []byte("on_update_miss")) {
		t.Error("sorcery.conf heals what one server cannot suffer from")
	}
	o.URLs = []string{"http://10.0.0.1:8640", "http://10.0.0.2:8640"}
	f("asterism.conf", "server = http://10.0.0.1:8640/soap\nserver = http://10.0.0.2:8640/soap")
	f("asterism.conf", ";answer_timeout = 1000")
	f("sorcery.conf", "[general]\nupdate_or_create_on_update_miss = yes")
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
	f(func(o *Order) { o.Engine = "odbc" }, `no engine "odbc"`, "--engine curl or --engine native")
	f(func(o *Order) { o.Version, o.Engine = 0, "" }, "no set for Asterisk 0", `no engine ""`)
	f(func(o *Order) { o.URLs = []string{"127.0.0.1:8640"} }, "is no http URL")
	f(func(o *Order) { o.URLs = []string{"http://127.0.0.1:8640/rt"} }, "more than a host and a port")
	f(func(o *Order) { o.URLs = []string{"http://a:b,c@127.0.0.1:8640"} }, "Asterisk takes for its own")
	f(func(o *Order) { o.URLs = []string{"http://" + strings.Repeat("a", 200)} }, "longer than 200 bytes")
	f(func(o *Order) { o.URLs = nil }, "no URL of a server")
	f(func(o *Order) { o.URLs = []string{"http://10.0.0.1", "http://10.0.0.2"} }, "curl asks one address, not 2", "--engine native")
	f(func(o *Order) { o.Engine, o.URLs = Native, []string{"http://10.0.0.1", "nowhere", "http://10.0.0.1"} }, `"nowhere" is no http URL`, "is given twice")
	f(func(o *Order) { o.Engine, o.URLs = Native, []string{"http://a:b@10.0.0.1"} }, "user and password_file in asterism.conf")
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
