package config

import (
	"strings"
	"testing"
)

func TestRules(t *testing.T) {
	// f parses one line and wants no fault, or one that starts with want.
	f := func(input, want string) {
		t.Helper()
		_, err := Parse("f", []byte(input))
		if want == "" && err != nil {
			t.Errorf("%s\n got %v\nwant no fault", input, err)
		}
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), "f:1: "+want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s\n got %v\nwant %s", input, err, want)
		}
	}
	f(`node.name = "München 1"`, "")
	f(`node.name = ""`, "node.name: is empty")
	f(`node.name = "  "`, "node.name: is empty")
	f(`node.name = "a\nb"`, `node.name: "a\nb" holds a character`)
	f(`node.name = "`+strings.Repeat("ü", 64)+`"`, "")
	f(`node.name = "`+strings.Repeat("n", 65)+`"`, "node.name: ")
	f(`node.state = "asterism"`, "node.state: ")

	f(`store.url = "sqlite:asterism.db"`, "")
	f(`store.url = "sqlite:"`, "store.url: names no file")
	f(`store.url = "sqlite"`, "store.url: names no file")
	f(`store.url = "sqlite://?mode=ro"`, "store.url: names no file")
	f(`store.url = "postgres:///asterism?host=/run/postgresql"`, "")
	f(`store.url = "postgresql://db/asterism"`, "")
	f(`store.url = "mysql://u:p@db/asterism"`, "")
	f(`store.url = "mysql://"`, "store.url: names no server")
	f(`store.url = "postgres:db"`, "store.url: names no server")
	f(`store.url = "oracle://db"`, "store.url: starts with no scheme")
	f(`store.url = ""`, "store.url: starts with no scheme")

	f(`asterisk.require = "Strict"`, `asterisk.require: "Strict" is neither`)
	f(`asterisk.public_url = "http://h:1/soap"`, "")
	f(`asterisk.public_url = "ftp://h"`, "asterisk.public_url: ")
	f(`asterisk.public_url = "http:///soap"`, "asterisk.public_url: ")
	f(`asterisk = { tls_cert = "c", tls_key = "k", client_ca = "a" }`, "")
	f(`asterisk.tls_cert = "c"`, "asterisk.tls_key: is missing")
	f(`asterisk.tls_key = "k"`, "asterisk.tls_cert: is missing")
	f(`asterisk.client_ca = "a"`, "asterisk.client_ca: ")
	f(`asterisk = { tls_cert = "c", tls_key = 1 }`, "asterisk.tls_key: a number stands where text belongs")
	f(`asterisk = { tls_cert = 1, client_ca = "a" }`, "asterisk.tls_cert: a number stands where text belongs")

	f(`families.extra = ["a-b"]`, `families.extra: "a-b" is no plain SQL name`)
	f(`families.extra = ["1a"]`, `families.extra: "1a" is no plain SQL name`)
	f(`families.extra = [""]`, `families.extra: "" is no plain SQL name`)
	f(`families.extra = ["Asterism_changes"]`, "families.extra: ")
	f(`families.extra = ["a", "b", "a"]`, "families.extra: ")
	f(`families.listing.a-b = "all"`, "families.listing.a-b: ")
	f(`families.listing.a = "All"`, `families.listing.a: "All" is no way`)
	f(`families.listing.a = "all"`, "")
	f(`families.listing.ps_aors = "asked"`, `families.listing.ps_aors: "asked" is none of all, active and none; write all, active or none`)
	f(`families.listing.ps_contacts = "none"`, `families.listing.ps_contacts: "none" can't be: by this listing Asterisk deletes`)
	f(`families.listing.ps_endpoint_id_ips = "active"`, "families.listing.ps_endpoint_id_ips: ")
	f(`families.listing.ps_registrations = "none"`, "families.listing.ps_registrations: ")
	f(`families.listing.ps_auths = "none"`, `families.listing.ps_auths: "none" can't be: Asterisk never asks`)
	f(`families.listing.queues = "none"`, "families.listing.queues: ")
	f(`families.listing.sippeers = "active"`, "families.listing.sippeers: ")
	f(`families.listing.ps_endpoints = "active"`, `families.listing.ps_endpoints: does not fit: ps_endpoints is listed as "active", ps_aors as "all", and a phone`)
	f(`families.listing.ps_aors = "none"`, `families.listing.ps_aors: does not fit: ps_endpoints is listed as "all", ps_aors as "none"`)
	f(`families.listing = { ps_endpoints = "none", ps_aors = "active" }`, "families.listing.ps_endpoints: does not fit")
	f(`families.listing = { ps_endpoints = "asked", ps_aors = "all" }`, "families.listing.ps_endpoints: does not fit")
	f(`families.listing = { ps_endpoints = "asked", ps_aors = "active" }`, "")
	f(`families.listing = { ps_endpoints = "asked", ps_aors = "none" }`, "")
	f(`families.listing = { ps_endpoints = "active", ps_aors = "active" }`, "")
	f(`families.listing = { ps_endpoints = "none", ps_aors = "none" }`, "")
	f(`families.index.a = ["b;c"]`, "families.index.a: ")
	f(`families.index.a = "b"`, "families.index.a: text stands where a list belongs")
	f(`families.index.a.b = "c"`, "families.index.a.b: unknown key")
	f(`tables.routes = "r"`, "tables.routes: ")

	f(`clients.a = {}`, "clients.a: names nothing by which")
	f(`clients.a.tables.ps_aors = "c"`, "clients.a: names nothing by which")
	f(`clients.a.networks = []`, "clients.a: names nothing by which")
	f(`clients.a.networks = ["x"]`, `clients.a.networks: "x" is not a network`)
	f(`clients.a.certificate = "CN=a"`, "clients.a.certificate: is never asked for")
	f(`clients.a = { user = "a:b", password_file = "f" }`, `clients.a.user: "a:b" has a character`)
	f(`clients.a = { user = "a\nb", password_file = "f" }`, `clients.a.user: "a\nb" has a character`)
	f(`clients.a = { user = "`+strings.Repeat("u", 129)+`", password_file = "f" }`, "clients.a.user: ")
	f(`clients.a = { user = "`+strings.Repeat("u", 128)+`", password_file = "f" }`, "")
	f(`clients.a.networks = ["10.0.0.1"]`, "")
	f(`clients.a.password_file = "f"`, "clients.a.user: is missing")
	f(`clients.a = { networks = ["::1"], tables.a-b = "c" }`, "clients.a.tables.a-b: ")
	f(`clients."a.b" = {}`, `clients."a.b": `)
	f(`clients.a = "b"`, "clients.a: text stands where a section belongs")
}

func TestListenersNeedNetworksBeyondLoopback(t *testing.T) {
	// f parses [agi] with this address and wants the fault of this key, or none.
	f := func(listen, key string) {
		t.Helper()
		_, err := Parse("f", []byte("agi.listen = '"+listen+"'"))
		if key == "" && err != nil || key != "" && (err == nil || !strings.HasPrefix(err.Error(), "f:1: "+key+": ")) {
			t.Errorf("%s\n got %v\nwant the fault of %q", listen, err, key)
		}
	}
	f("127.0.0.1:0", "")
	f("127.9.9.9:65535", "")
	f("[::1]:4573", "")
	f("[::ffff:127.0.0.1]:4573", "")
	f("LocalHost:4573", "")
	f("[::1]:8640", "")
	f(":4573", "agi.allow")
	f("0.0.0.0:4573", "agi.allow")
	f("[::]:4573", "agi.allow")
	f("10.0.0.1:4573", "agi.allow")
	f("[fe80::1%eth0]:4573", "agi.allow")
	f("pbx.example.net:4573", "agi.allow")
	f("localhost.example.net:4573", "agi.allow")

	f("", "agi.listen")
	f("4573", "agi.listen")
	f("127.0.0.1", "agi.listen")
	f("127.0.0.1:", "agi.listen")
	f("127.0.0.1:agi", "agi.listen")
	f("127.0.0.1:65536", "agi.listen")
	f("127.0.0.1:-1", "agi.listen")
	f("::1:4573", "agi.listen")
	f("127.0.0.256:4573", "agi.listen")
	f("a b:4573", "agi.listen")

	f("127.0.0.1:8640", "agi.listen")
	f("localhost:8641", "agi.listen")
}

func TestListenersThatOverlap(t *testing.T) {
	f := func(one, two string, want bool) {
		t.Helper()
		a, problemA := parseAddress(one)
		b, problemB := parseAddress(two)
		if problemA+problemB != "" {
			t.Fatal(problemA, problemB)
		}
		if a.overlaps(b) != want || b.overlaps(a) != want {
			t.Errorf("%s and %s: want %v", one, two, want)
		}
	}
	f("127.0.0.1:1", "127.0.0.1:1", true)
	f("127.0.0.1:1", "127.0.0.1:2", false)
	f("127.0.0.1:0", "127.0.0.1:0", false)
	f("127.0.0.1:1", "127.0.0.2:1", false)
	f("0.0.0.0:1", "127.0.0.2:1", true)
	f(":1", "pbx:1", true)
	f("pbx:1", "PBX:01", true)
	f("pbx:1", "pbx2:1", false)
	f("pbx:1", "127.0.0.1:1", false)
}

func TestNetworks(t *testing.T) {
	f := func(input, want string) {
		t.Helper()
		network, err := parseNetwork(input)
		if (err != nil) != (want == "") || err == nil && network.String() != want {
			t.Errorf("%s: got %v %v, want %q", input, network, err, want)
		}
	}
	f("10.1.2.3", "10.1.2.3/32")
	f("10.1.2.3/8", "10.0.0.0/8")
	f("0.0.0.0/0", "0.0.0.0/0")
	f("fd00::1", "fd00::1/128")
	f("fd00::1/8", "fd00::/8")
	f("::ffff:10.0.0.1", "10.0.0.1/32")
	f("::ffff:10.0.0.1/104", "10.0.0.0/8")
	f("fe80::1%eth0", "")
	f("10.1.2.3/33", "")
	f("10.1.2", "")
	f("pbx.example.net", "")
	f("", "")
}
