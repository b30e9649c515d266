package asterisk

import (
	"fmt"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestACallOverALineIsItsTrunks: a registration with line=yes names its endpoint, and a
// call that comes where it registered is that endpoint's. Both ends are one Asterisk
// here, so that what it stores at the carrier is a row too.
func TestACallOverALineIsItsTrunks(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home, sip := lab.NewHome(t), lab.FreePort(t)
		carrier := fmt.Sprintf("127.0.0.1:%d", sip)
		home.Run(t, "set", "ps_endpoints", "4930", "transport=transport-udp", "aors=4930", "auth=4930", "context=test", "disallow=all", "allow=ulaw", "direct_media=no")
		home.Run(t, "set", "ps_aors", "4930", "max_contacts=1", "remove_existing=yes", "minimum_expiration=1")
		home.Run(t, "set", "ps_auths", "4930", "auth_type=userpass", "username=4930", "password=pass-4930")
		home.Run(t, "set", "ps_endpoints", "trunk", "transport=transport-udp", "context=test", "disallow=all", "allow=ulaw", "direct_media=no")
		home.Run(t, "set", "ps_auths", "login", "auth_type=userpass", "username=4930", "password=pass-4930")
		home.Run(t, "set", "ps_registrations", "line", "transport=transport-udp", "outbound_auth=login", "server_uri=sip:"+carrier, "client_uri=sip:4930@"+carrier,
			"contact_user=4930", "line=yes", "endpoint=trunk", "expiration=600", "retry_interval=1", "max_random_initial_delay=0")
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{SIP: sip, Name: "exchange", Node: node.Asterisk, Families: append([]string{"ps_registrations"}, lab.PJSIP...), Files: map[string]string{
			"sorcery.conf":    lab.Sorcery + "[res_pjsip_outbound_registration]\nregistration = realtime,ps_registrations\n",
			"extensions.conf": onTest("exten => 4930,1,Set(GLOBAL(came)=${CHANNEL(endpoint)})", "same => n,Answer()", "same => n,Wait(1)"),
		}})
		sqlIs(t, home, "SELECT endpoint, reg_server, uri LIKE 'sip:4930@127.0.0.1:%^3Bline=%' FROM ps_contacts", "4930|exchange|1")
		lab.Eventually(t, soon, "the line is registered", func() bool {
			return strings.Contains(lineOf(a.CLI(t, "pjsip show registrations"), "line/"), " Registered ")
		})
		a.CLI(t, "channel originate PJSIP/4930 application Wait 0.1")
		globalIs(t, a, "came", "trunk")
		callsEnd(t, a)
		quiet(t, a)
		quietNode(t, node)
	})
}
