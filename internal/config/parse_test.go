package config

import (
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestEmptyFileIsTheDefault(t *testing.T) {
	if diff := cmp.Diff(Default(), parsed(t, ""), sameValues()); diff != "" {
		t.Error(diff)
	}
}

func TestEveryKeyIsRead(t *testing.T) {
	networks := func(texts ...string) []netip.Prefix {
		var list []netip.Prefix
		for _, text := range texts {
			list = append(list, netip.MustParsePrefix(text))
		}
		return list
	}
	want := Config{
		Node:  Node{Name: "node 1", State: "/srv/asterism"},
		Store: Store{URL: "postgres://asterism:word@db1:5432,db2:5432/asterism"},
		Asterisk: Asterisk{
			Listen: "0.0.0.0:80", Allow: networks("10.1.0.0/16", "10.2.3.4/32", "fd00::/8", "fd00::1/128"),
			Require: RequireStrict, PublicURL: "https://pbx.example.net/soap",
			TLSCert: "cert.pem", TLSKey: "key.pem", ClientCA: "ca.pem",
		},
		People: People{Listen: ":81", Allow: networks("192.0.2.0/24")},
		AGI:    AGI{Listen: "pbx.example.net:0", Allow: networks("10.0.0.0/8")},
		Families: Families{
			Extra:   []string{"phones", "Rooms2"},
			Listing: map[string]string{"ps_endpoints": ListAsked, "ps_aors": ListActive},
			Index:   map[string][]string{"phones": {"room", "floor,room"}},
		},
		Tables: map[string]string{"numbers": "our_numbers"},
		Clients: map[string]Client{
			"berlin": {
				Networks: networks("198.51.100.7/32"), User: "b", PasswordFile: "/etc/b", Certificate: "CN=b",
				Tables: map[string]string{"ps_contacts": "ps_contacts_berlin"},
			},
			"paris-2": {Networks: networks("fd02::/16")},
		},
	}
	text, err := os.ReadFile("testdata/every.toml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, parsed(t, string(text)), sameValues()); diff != "" {
		t.Error(diff)
	}
}

func TestOneKeyLeavesTheOthersAtTheirDefaults(t *testing.T) {
	want := Default()
	want.Families.Listing["ps_aors"] = ListAll
	if diff := cmp.Diff(want, parsed(t, "families.listing.ps_aors = 'all'"), sameValues()); diff != "" {
		t.Error(diff)
	}
}

func TestAllFaultsAreReportedAtOnceWithTheirLines(t *testing.T) {
	text, err := os.ReadFile("testdata/faults.toml")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, got := Parse("faults.toml", text)
	if diff := cmp.Diff(strings.TrimSpace(string(want)), got.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestTextThatIsNotTOMLHasItsLine(t *testing.T) {
	f := func(input, want string) {
		t.Helper()
		_, err := Parse("f", []byte(input))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q\n got %v\nwant %s", input, err, want)
		}
	}
	f("[node\n", "f:1: expected ']' to close table name; ")
	f("[node]\nname = x", "f:2: unexpected character U+0078 'x' at start of value; ")
	f("[store]\n\nurl = \"mysql://u:sec\"ret@h/d\"", "f:3: expected newline but got U+0072 'r'; ")
	f("[node]\n[node]", "f:2: table node already exists; ")
	f("node.name = 'a'\nnode.name = 'b'", "f:2: key name is already defined; ")
	f("\"a\\nb\" = 1\n\"a\\nb\" = 2", `f:2: "key a\nb is already defined"; `)
	f("a = 1979-99-99", "f:1: impossible date; ")
	f(strings.Repeat("#", sizeLimit+1), "f: is longer than 262144 bytes; ")
}

func TestLoadNamesFaultsAndOriginsByTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.toml")
	if err := os.WriteFile(path, []byte("[node]\nname = 'n'"), 0o600); err != nil {
		t.Fatal(err)
	}
	config, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := config.Origin("node.name"); got != "asterism.toml:2" {
		t.Errorf("origin %q", got)
	}
	if err := os.WriteFile(path, []byte("nodes = 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Load(path)
	if faults := new(Faults); !errors.As(err, &faults) || faults.File != "asterism.toml" {
		t.Errorf("got %v", err)
	}
}

func TestLoadOfAnAbsentFileIsRecognisable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "absent.toml")
	_, err := Load(path)
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

func parsed(t *testing.T, text string) Config {
	t.Helper()
	config, err := Parse("asterism.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// sameValues compares all but the origins.
func sameValues() cmp.Options {
	return cmp.Options{cmpopts.IgnoreUnexported(Config{}), cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })}
}
