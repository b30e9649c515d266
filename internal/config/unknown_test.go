package config

import (
	"strings"
	"testing"
)

func TestUnknownKeysNameTheLikelyOne(t *testing.T) {
	f := func(input, want string) {
		t.Helper()
		_, err := Parse("f", []byte(input))
		if err == nil || err.Error() != "f:1: "+want {
			t.Errorf("%s\n got %v\nwant f:1: %s", input, err, want)
		}
	}
	const sections = "remove it; the sections are node, store, asterisk, people, agi, families, families.listing, families.index, tables, clients"
	f("asterisk.lsiten = 1", "asterisk.lsiten: unknown key; did you mean asterisk.listen?")
	f("asterisk.tlscert = 1", "asterisk.tlscert: unknown key; did you mean asterisk.tls_cert?")
	f("people.require = 1", "people.require: unknown key; did you mean asterisk.require?")
	f("url = 1", "url: unknown key; did you mean store.url?")
	f("stor.url = 1", "stor.url: unknown key; did you mean store.url?")
	f("[familes.listing]", "familes.listing: unknown section; did you mean families.listing?")
	f("[client.berlin]", "client.berlin: unknown section; "+sections)
	f("[[nodes]]", "nodes: unknown section; did you mean node?")
	f("node.colour = 1", "node.colour: unknown key; remove it; [node] knows name, state")
	f("clients.a.usr = 1", "clients.a.usr: unknown key; did you mean clients.a.user?")
	f("clients.a.colour = 1", "clients.a.colour: unknown key; remove it; [clients.a] knows networks, user, password_file, certificate, tables")
	f(`"asterisk.listen" = 1`, `"asterisk.listen": unknown key; did you mean asterisk.listen?`)
	f(`"a\nb" = 1`, `"a\nb": unknown key; `+sections)
}

func TestAnUnknownSectionIsReportedOnce(t *testing.T) {
	_, err := Parse("f", []byte("[asterix]\nlisten = 1\ncolour = { x = 1 }\n[asterix.more]\ny = 1"))
	if err == nil || strings.Count(err.Error(), "\n") != 0 {
		t.Error(err)
	}
}

func TestDeepKeysAreReportedOnce(t *testing.T) {
	deep := "[a" + strings.Repeat(".a", 100_000) + "]\n"
	_, err := Parse("f", []byte(deep+strings.Repeat("b.", 10)+"c = 1\nd = 1\ne = { f = 1 }"))
	if err == nil || !strings.HasPrefix(err.Error(), "f:1: a.a.a.a.a.a.a.a: unknown section; ") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

func TestNearestLeavesLongKeysAlone(t *testing.T) {
	if got := nearest(strings.Repeat("x", nearestLength+1), []string{"node.name"}); got != "" {
		t.Errorf("got %q", got)
	}
}
