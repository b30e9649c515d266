package asterisk

import (
	"fmt"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestTrunkRegistersAtItsProvider: a row of ps_registrations makes Asterisk register
// elsewhere, with the credentials of a row of ps_auths, and leave when the row is gone.
func TestTrunkRegistersAtItsProvider(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		other := lab.Asterisk22
		if release.Is(other) {
			other = lab.Asterisk16
		}
		accounts := lab.Phones{First: 6001, Count: 2}
		port := lab.FreePort(t)
		provider := other.Start(t, lab.Settings{Name: "provider", SIP: port, Files: map[string]string{"pjsip.conf": lab.Transport(port) + accounts.File()}})

		home := lab.NewHome(t)
		home.Load(t, "ps_auths", [][]string{{"id", "auth_type", "username", "password"}, {"account-1", "userpass", "6001", "secret-6001"}, {"account-2", "userpass", "6002", "wrong"}})
		registration := func(n int) {
			t.Helper()
			home.Run(t, "set", "ps_registrations", fmt.Sprintf("trunk-%d", n), "transport=transport-udp", fmt.Sprintf("outbound_auth=account-%d", n),
				fmt.Sprintf("server_uri=sip:127.0.0.1:%d", port), fmt.Sprintf("client_uri=sip:600%d@127.0.0.1:%d", n, port), fmt.Sprintf("contact_user=from-provider-%d", n), "expiration=600", "retry_interval=60", "max_retries=1", "max_random_initial_delay=0")
		}
		registration(1)
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: append([]string{"ps_registrations"}, lab.PJSIP...), Files: map[string]string{
			"sorcery.conf": lab.Sorcery + "[res_pjsip_outbound_registration]\nregistration = realtime,ps_registrations\n",
		}})
		state := func(n int) string {
			line := strings.Fields(lineOf(a.CLI(t, "pjsip show registrations"), fmt.Sprintf("trunk-%d/", n)))
			if len(line) < 3 {
				return "none"
			}
			return line[2]
		}
		becomes(t, "the trunk", "Registered", func() string { return state(1) })
		if got := provider.CLI(t, "pjsip show contacts"); !strings.Contains(got, fmt.Sprintf("6001/sip:from-provider-1@127.0.0.1:%d", a.SIP)) {
			t.Errorf("the provider has: %s", got)
		}

		home.Run(t, "set", "ps_auths", "account-2", "password=secret-6002")
		registration(2)
		a.CLI(t, "module reload res_pjsip_outbound_registration.so")
		becomes(t, "the second trunk", "Registered", func() string { return state(2) })
		home.SQL(t, "DELETE FROM ps_registrations WHERE id = 'trunk-1'")
		becomes(t, "the first trunk, which SQL has no more", "none", func() string { return state(1) })
		a.CLI(t, "module reload res_pjsip_outbound_registration.so")
		becomes(t, "the provider's contact of the first", "", func() string { return lineOf(provider.CLI(t, "pjsip show contacts"), "6001/sip") })
		quiet(t, a)
		quiet(t, provider)
		quietNode(t, node)
	})
}
