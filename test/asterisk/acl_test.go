package asterisk

import (
	"testing"

	"asterism/test/lab"
)

// TestNamedACLDecidesWhoRegisters: an endpoint names an ACL, its rules are rows, and
// a rule that changes holds for the next REGISTER.
func TestNamedACLDecidesWhoRegisters(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		phones := lab.Phones{First: 6001, Count: 3}
		phones.Load(t, home)
		// Asterisk applies the rules by rule_order, the last that fits decides. One with
		// a systemname asks for the rows that bear it.
		home.Load(t, "acls", [][]string{
			{"name", "rule_order", "sense", "rule", "systemname"},
			{"here", "10", "permit", "127.0.0.1/32", "lab"},
			{"here", "2", "deny", "0.0.0.0/0", "lab"},
			{"here", "11", "deny", "127.0.0.1/32", "another"},
			{"elsewhere", "1", "deny", "0.0.0.0/0", "lab"},
			{"elsewhere", "2", "permit", "127.0.0.2/32", "lab"},
		})
		home.Run(t, "set", "ps_endpoints", "6001", "acl=here", "auth=")
		home.Run(t, "set", "ps_endpoints", "6002", "acl=elsewhere", "auth=")
		home.Run(t, "set", "ps_endpoints", "6003", "auth=")
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: append([]string{"acls"}, lab.PJSIP...), Files: map[string]string{
			"sorcery.conf": lab.Sorcery,
		}})
		registers := func(name, code int) {
			t.Helper()
			if got := (lab.SIPp{Scenario: registersOnce, To: a.SIP, Calls: 1, Keys: map[string]string{"name": itoa(name), "code": itoa(code)}}).Run(t); got.Good != 1 {
				t.Errorf("%d: want %d: %s\n%s", name, code, got.Errors, got.Messages)
			}
		}
		registers(6001, 200)
		registers(6002, 401)
		registers(6003, 200) // names none
		home.Run(t, "set", "acls", "elsewhere,2", "rule=127.0.0.1/32")
		registers(6002, 200)
		quiet(t, a)
		quietNode(t, node)
	})
}

// registersOnce is a phone without a password: what an ACL refuses gets 401 all the same.
const registersOnce = `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="registers once">
  <send retrans="500">
    <![CDATA[
      REGISTER sip:[remote_ip]:[remote_port] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      Max-Forwards: 70
      From: <sip:[name]@[remote_ip]>;tag=[pid]-[call_number]
      To: <sip:[name]@[remote_ip]>
      Call-ID: [call_id]
      CSeq: 1 REGISTER
      Contact: <sip:[name]@[local_ip]:[local_port]>
      Expires: 600
      Content-Length: 0

    ]]>
  </send>
  <recv response="[code]" timeout="5000"/>
</scenario>`
