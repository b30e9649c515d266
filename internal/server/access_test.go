package server

import (
	"encoding/base64"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asterism/internal/config"
	"asterism/internal/http1"
)

// passwordFile writes a password and gives its file.
func passwordFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// as adds a user and a password to a request, as libcurl does for
// http://USER:PASSWORD@HOST/.
func as(user, password, request string) string {
	header := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password)) + "\r\n"
	return strings.Replace(request, "User-Agent:", header+"User-Agent:", 1)
}

func TestWrongCredentialsAreRefusedInTheWiresOwnWay(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	cfg.Clients = map[string]config.Client{"oslo": {User: "oslo", PasswordFile: passwordFile(t, "word")}}
	s := start(t, cfg)
	refused := map[string]float64{}
	f := func(request, want string) {
		t.Helper()
		for _, ask := range []struct{ request, reason string }{
			{request, "no credentials"},
			{as("oslo", "wrong", request), "wrong credentials"},
			{as("nobody", "word", request), "wrong credentials"},
			{strings.Replace(request, "User-Agent:", "Authorization: Bearer b3Nsbzp3b3Jk\r\nUser-Agent:", 1), "no credentials"},
		} {
			got := s.raw(t, ask.request)
			if got.status != 401 || got.header.Get("WWW-Authenticate") != `Basic realm="asterism"` {
				t.Errorf("%.60q is answered %d, %v", ask.request, got.status, got.header)
			}
			if want != "" && !strings.Contains(got.body, want) || want == "" && (got.body != "" || got.length != 0) {
				t.Errorf("%.60q is answered %q, want %q", ask.request, got.body, want)
			}
			if want == "-1" && got.body != want {
				t.Errorf("%.60q is answered %q, want -1", ask.request, got.body)
			}
			refused[ask.reason]++
		}
	}
	for verb, want := range verbsAndFailures {
		f(asAsterisk("/rt/ps_aors/"+verb, "id=1"), want)
	}
	f(asked("/rt/extensions/static?file=x"), "")
	f(asked("/lookup?number=1"), "")
	f(asked("/nosuch"), "")
	f(asAsterisk("/soap", "<x/>"), ":Client</faultcode>")
	for reason, n := range refused {
		if got := s.metric(t, `asterism_rejected_total{reason="`+reason+`"}`); got != n {
			t.Errorf("%v are counted as %s, want %v", got, reason, n)
		}
	}
	if got := s.raw(t, as("oslo", "word", asAsterisk("/rt/ps_aors/store", "id=1"))); got.status != 200 || got.body != "1" {
		t.Errorf("the right password is answered %d %q", got.status, got.body)
	}
	if got := s.raw(t, as("oslo", "word", asAsterisk("/rt/ps_aors/single", "id=1"))); got.body != "id=1" {
		t.Errorf("the right password is answered %d %q", got.status, got.body)
	}
}

func TestAClientIsAllThatItsSectionNames(t *testing.T) {
	t.Parallel()
	a, clients := newAuthority(t, "a"), newAuthority(t, "clients")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	withClientCA(t, &cfg, clients)
	here, elsewhere := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	file := passwordFile(t, "word")
	cfg.Clients = map[string]config.Client{
		"here":      {Networks: here, User: "here", PasswordFile: file},
		"elsewhere": {Networks: elsewhere, User: "elsewhere", PasswordFile: file},
		"named":     {Certificate: "CN=named,O=Example"},
		"full":      {Networks: here, User: "full", PasswordFile: file, Certificate: "O = Example, CN = full"},
	}
	s := start(t, cfg)
	f := func(certificate, user, password string, want int) {
		t.Helper()
		client := a.believing(t)
		if certificate != "" {
			client = a.believing(t, both(clients.issue(t, certificate, nil))...)
		}
		request := asked("/lookup?number=1")
		if user != "" {
			request = as(user, password, request)
		}
		if got := s.secure(t, client, request); got.status != want {
			t.Errorf("%s with %s:%s is answered %d, want %d", certificate, user, password, got.status, want)
		}
	}
	f("", "here", "word", 200)
	f("unnamed", "here", "word", 200)
	f("named", "", "", 200)
	f("full", "full", "word", 200)

	f("", "", "", 401)
	f("unnamed", "", "", 401)
	f("", "elsewhere", "word", 401)
	f("", "full", "word", 401)
	f("named2", "full", "word", 401)
	f("full", "full", "words", 401)
	f("full", "", "", 401)
	bad := a.believing(t, both(newAuthority(t, "others").issue(t, "named", nil))...)
	if !s.shut(t, bad) {
		t.Error("a certificate of another authority is let in")
	}
}

func TestWithoutAnyPasswordARefusalAsksForNone(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	cfg.Clients = map[string]config.Client{"elsewhere": {Networks: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}}
	s := start(t, cfg)
	for verb, want := range verbsAndFailures {
		got := s.raw(t, as("a", "b", asAsterisk("/rt/ps_aors/"+verb, "id=1")))
		if got.status != 403 || got.body != want || got.header.Get("WWW-Authenticate") != "" {
			t.Errorf("%s is answered %d %q, %v", verb, got.status, got.body, got.header)
		}
	}
	if n := s.metric(t, `asterism_rejected_total{reason="client not recognised"}`); n != float64(len(verbsAndFailures)) {
		t.Errorf("%v are counted", n)
	}
}

func TestAReloadReadsPasswordsAgain(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	file := passwordFile(t, "before")
	cfg.Clients = map[string]config.Client{"oslo": {User: "oslo", PasswordFile: file}}
	s := start(t, cfg)
	control, err := Dial(cfg.Node.State)
	if err != nil {
		t.Fatal(err)
	}
	f := func(password string, want int) {
		t.Helper()
		if got := s.raw(t, as("oslo", password, asked("/lookup?number=1"))); got.status != want {
			t.Errorf("password %s is answered %d, want %d", password, got.status, want)
		}
	}
	f("before", 200)
	write(t, file, []byte("after\n"))
	f("after", 401)
	if _, err := control.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	f("after", 200)
	f("before", 401)
	write(t, file, nil)
	if _, err := control.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a reload with an empty password file: %v", err)
	}
	f("after", 200)
	f("", 401)
}

// TestToLetACallerInAllocatesNothing: with and without named clients.
func TestToLetACallerInAllocatesNothing(t *testing.T) {
	l := busy(netip.MustParsePrefix("192.0.2.0/24"))
	cfg := config.Config{Clients: map[string]config.Client{
		"berlin": {Networks: []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}},
		"oslo":   {User: "oslo", PasswordFile: passwordFile(t, "word")},
	}}
	r := &http1.Request{Authorization: []byte("Basic b3Nsbzp3b3Jk"), Remote: netip.MustParseAddrPort("192.0.2.7:4000")}
	f := func(what string) {
		t.Helper()
		got := testing.AllocsPerRun(100, func() {
			if why := l.turnedAway(r); why != nil {
				t.Errorf("turned away: %s", why.Reason)
			}
		})
		if got != 0 {
			t.Errorf("%s: %v allocations", what, got)
		}
	}
	f("without clients")
	admission, err := openAdmission(cfg, newLogTo(t))
	if err != nil {
		t.Fatal(err)
	}
	l.admission = admission
	f("with clients")
}
