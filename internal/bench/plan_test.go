package bench

import (
	"net/netip"
	"strings"
	"testing"
)

func TestPlanReportsAllItsFaults(t *testing.T) {
	_, err := Run(t.Context(), Plan{Door: "fax", Processes: []int{1, 0}})
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{`door: "fax"`, "numbers: no file", "processes: 0", "requests: 0", "executable: none"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in:\n%v", part, err)
		}
	}
}

func TestTargetOfAURL(t *testing.T) {
	f := func(rawURL, suffix, address, host, path string) {
		t.Helper()
		got, err := newTarget(t.Context(), rawURL, suffix)
		want := target{netip.MustParseAddrPort(address), host, path}
		if err != nil || got != want {
			t.Errorf("%s: got %+v, error %v, want %+v", rawURL, got, err, want)
		}
	}
	f("http://127.0.0.1:8640/soap", "", "127.0.0.1:8640", "127.0.0.1:8640", "/soap")
	f("http://127.0.0.1/soap?x=1", "", "127.0.0.1:80", "127.0.0.1", "/soap?x=1")
	f("http://[::1]:8640/rt/numbers", "single", "[::1]:8640", "[::1]:8640", "/rt/numbers/single")
	f("http://127.0.0.1:8640/rt/numbers/", "single", "127.0.0.1:8640", "127.0.0.1:8640", "/rt/numbers/single")
	f("http://127.0.0.1:8640", "", "127.0.0.1:8640", "127.0.0.1:8640", "/")
	f("http://localhost:8640/soap", "", "127.0.0.1:8640", "localhost:8640", "/soap")
}

func TestTargetRefusesAURL(t *testing.T) {
	f := func(rawURL, suffix, want string) {
		t.Helper()
		_, err := newTarget(t.Context(), rawURL, suffix)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", rawURL, err, want)
		}
	}
	f("", "", "only http://")
	f("https://127.0.0.1/soap", "", "only http://")
	f("http://:8640/soap", "", "only http://")
	f("http://127.0.0.1:0/soap", "", "port 0")
	f("http://127.0.0.1:65536/soap", "", "port 65536")
	f("http://127.0.0.1:8640/rt/numbers?x=1", "single", "no query")
}
