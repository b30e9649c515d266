package asterisk

import (
	"fmt"
	"testing"

	"asterism/test/lab"
)

// TestOldSIPPeerRegistersAndIsCalled: a peer of chan_sip, which only the old release
// has, registers, is called where its row says, and unregisters; with its
// registration in sippeers, read each time, or in sipregs, kept by Asterisk.
func TestOldSIPPeerRegistersAndIsCalled(t *testing.T) {
	t.Parallel()
	for _, way := range []struct {
		name, general, table string
		families             []string
	}{
		{"sippeers", "rtcachefriends = no\n", "sippeers", []string{"sippeers"}},
		{"sipregs", "rtcachefriends = yes\nrtsave_sysname = yes\n", "sipregs", []string{"sippeers", "sipregs"}},
	} {
		t.Run(way.name, func(t *testing.T) {
			home := lab.NewHome(t)
			home.Load(t, "sippeers", [][]string{
				{"name", "type", "host", "secret", "context", "disallow", "allow", "directmedia"},
				{"7001", "friend", "dynamic", "secret-7001", "test", "all", "ulaw,alaw", "no"},
				{"7002", "friend", "dynamic", "secret-7002", "test", "all", "ulaw", "no"},
			})
			home.Load(t, "sipregs", [][]string{{"name"}, {"7001"}, {"7002"}}) // Asterisk only updates it
			node := home.Serve(t)
			port := lab.FreePort(t)
			a := lab.Asterisk16.Start(t, lab.Settings{Load: []string{"chan_sip"}, Node: node.Asterisk, Families: way.families, Files: map[string]string{
				"sip.conf":        fmt.Sprintf("[general]\nudpbindaddr = 127.0.0.1:%d\ntcpenable = no\nalwaysauthreject = yes\nallowguest = no\n", port) + way.general,
				"extensions.conf": onTest("exten => hello,1,Set(GLOBAL(caller)=${CHANNEL(peername)})", "same => n,Answer()", "same => n,Wait(2)", "same => n,Hangup()"),
			}})
			phone := lab.SIPp{Scenario: "answer", Keys: map[string]string{"payloads": "0"}, Port: lab.FreePort(t)}.Start(t)
			register := lab.Phones{First: 7001, Count: 1}.Registering(a, phone.Port, 600, 1)
			register.To = port
			if got := register.Run(t); got.Good != 1 {
				t.Fatalf("not registered: %s\n%s", got.Errors, got.Messages)
			}
			row := "SELECT name, ipaddr, port, fullcontact, useragent, regseconds > strftime('%s', 'now') FROM " + way.table + " WHERE ipaddr IS NOT NULL AND ipaddr <> ''"
			sqlIs(t, home, row, fmt.Sprintf("7001|127.0.0.1|%d|sip:7001@127.0.0.1:%d|lab|1", phone.Port, phone.Port))

			a.CLI(t, "channel originate SIP/7001 application Wait 0.2")
			callsEnd(t, a)
			call := lab.SIPp{
				Scenario: "call", To: port, Calls: 1, Keys: map[string]string{"payloads": "8", "pause": "100"},
				Lines: [][]string{{"7001", "[authentication username=7001 password=secret-7001]", "hello"}},
			}.Run(t)
			if call.Good != 1 || global(t, a, "caller") != "7001" {
				t.Errorf("the peer's call: %q %s\n%s", global(t, a, "caller"), call.Errors, call.Messages)
			}

			// A peer that Asterisk keeps and that had no contact when it was read is not
			// cleared in the row: chan_sip does so over any driver.
			a.CLI(t, "sip prune realtime peer 7001")
			leave := lab.Phones{First: 7001, Count: 1}.Registering(a, phone.Port, 0, 1)
			leave.To = port
			if got := leave.Run(t); got.Good != 1 {
				t.Errorf("not unregistered: %s\n%s", got.Errors, got.Messages)
			}
			sqlIs(t, home, row, "")
			if got := phone.Stop(t); got.Good != 1 {
				t.Errorf("the peer took %d calls: %s", got.Good, got.Errors)
			}
			quiet(t, a)
			quietNode(t, node)
		})
	}
}
