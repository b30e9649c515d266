package asterisk

import (
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestDomainAliasStandsForADomain: a phone of a domain registers under another name of
// that domain, a row of ps_domain_aliases, and under no other.
func TestDomainAliasStandsForADomain(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		const phone = "6001@phones.example"
		home.Run(t, "set", "ps_endpoints", phone, "transport=transport-udp", "aors="+phone, "context=test", "disallow=all", "allow=ulaw")
		home.Run(t, "set", "ps_aors", phone, "max_contacts=1", "remove_existing=yes")
		home.Run(t, "set", "ps_domain_aliases", "telephones.example", "domain=phones.example")
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: lab.PJSIP, Files: map[string]string{
			"sorcery.conf": lab.Sorcery,
		}})
		registers := func(domain, code string) {
			t.Helper()
			if got := (lab.SIPp{Scenario: registersAtDomain, To: a.SIP, Calls: 1, Keys: map[string]string{"name": "6001", "domain": domain, "code": code}}).Run(t); got.Good != 1 {
				t.Errorf("6001@%s: want %s: %s\n%s", domain, code, got.Errors, got.Messages)
			}
		}
		registers("other.example", "401")
		sqlIs(t, home, "SELECT count(*) FROM ps_contacts", "0")
		registers("telephones.example", "200")
		const contacts = "SELECT substr(id, 1, 23), endpoint FROM ps_contacts"
		sqlIs(t, home, contacts, phone+"^3B@|"+phone)
		registers("phones.example", "200")
		if got := a.CLI(t, "pjsip show aor %s", phone); !strings.Contains(got, "Contact:  "+phone+"/sip:6001@127.0.0.1:") {
			t.Errorf("aor: %s", got)
		}
		home.Run(t, "delete", "ps_domain_aliases", "telephones.example")
		registers("telephones.example", "401")
		home.Run(t, "set", "ps_domain_aliases", "other.example", "domain=phones.example")
		registers("other.example", "200")
		sqlIs(t, home, contacts, phone+"^3B@|"+phone)
		quiet(t, a)
		quietNode(t, node)
	})
}

// registersAtDomain is a phone without a password that names a domain.
var registersAtDomain = strings.NewReplacer("sip:[name]@[remote_ip]", "sip:[name]@[domain]", "REGISTER sip:[remote_ip]", "REGISTER sip:[domain]").Replace(registersOnce)
