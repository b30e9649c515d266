package config

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeysAreInTheOrderOfTheManual(t *testing.T) {
	want := []string{
		"node.name", "node.state", "store.url",
		"asterisk.listen", "asterisk.allow", "asterisk.require", "asterisk.public_url",
		"asterisk.tls_cert", "asterisk.tls_key", "asterisk.client_ca",
		"people.listen", "people.allow", "agi.listen", "agi.allow",
		"families.extra", "families.listing.ps_endpoints", "tables.numbers",
	}
	if diff := cmp.Diff(want, Default().Keys()); diff != "" {
		t.Error(diff)
	}
}

func TestKeysNameWhatTheOperatorChose(t *testing.T) {
	config := parsed(t, `
families = { listing.b = "all", listing.a = "all", index.z = ["x"] }
clients = { rome.networks = ["::1"], oslo = { networks = ["::1"], tables.ps_contacts = "oslo_contacts" } }`)
	want := []string{
		"families.extra", "families.listing.a", "families.listing.b", "families.listing.ps_endpoints", "families.index.z", "tables.numbers",
		"clients.oslo.networks", "clients.oslo.user", "clients.oslo.password_file", "clients.oslo.certificate", "clients.oslo.tables.ps_contacts",
		"clients.rome.networks", "clients.rome.user", "clients.rome.password_file", "clients.rome.certificate",
	}
	keys := config.Keys()
	if diff := cmp.Diff(want, keys[slices.Index(keys, "families.extra"):]); diff != "" {
		t.Error(diff)
	}
}

func TestOriginIsTheLineOrTheDefault(t *testing.T) {
	config := parsed(t, `# a comment
[asterisk]
allow = [
	"10.0.0.0/8",
]
require = "strict"
[families]
listing = { ps_aors = "all" }
[clients.oslo]
user = ""
networks = ["::1"]
`)
	f := func(key, want string) {
		t.Helper()
		if got := config.Origin(key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	f("asterisk.listen", "default")
	f("asterisk.allow", "asterism.toml:3")
	f("asterisk.require", "asterism.toml:6")
	f("families.listing.ps_aors", "asterism.toml:8")
	f("families.listing.ps_endpoints", "default")
	f("clients.oslo.user", "asterism.toml:10")
	f("clients.oslo.certificate", "default")
	f("no.such.key", "default")
}
