package asterisk

import (
	"testing"

	"asterism/test/lab"
)

// TestTrunkIsKnownByItsAddress: ps_endpoint_id_ips tells whose a call is, by address, by
// a header, by the request URI; a row that comes or goes holds for the next call.
func TestTrunkIsKnownByItsAddress(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Load(t, "ps_endpoints", [][]string{
			{"id", "transport", "context", "disallow", "allow"},
			{"gold", "transport-udp", "test", "all", "ulaw"},
			{"silver", "transport-udp", "test", "all", "ulaw"},
			{"tin", "transport-udp", "test", "all", "ulaw"},
		})
		home.Load(t, "ps_endpoint_id_ips", [][]string{{"id", "endpoint", "match", "match_header"}, {"by-header", "silver", "", "X-Trunk: silver"}, {"far-away", "tin", "192.0.2.0/24", ""}})
		if release.Is(lab.Asterisk22) {
			home.Run(t, "set", "ps_endpoint_id_ips", "by-uri", "endpoint=tin", "match_request_uri=/^sip:t100@/")
		}
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: lab.PJSIP, Files: map[string]string{
			"sorcery.conf":    lab.Sorcery,
			"extensions.conf": onTest("exten => _X.,1,Set(GLOBAL(from)=${CHANNEL(endpoint)})", "same => n,Hangup(17)", "exten => _t.,1,Goto(100,1)"),
		}})
		knocks := func(number, trunk, code, from string) {
			t.Helper()
			a.CLI(t, "dialplan set global from nobody")
			got := lab.SIPp{Scenario: knocksOnce, To: a.SIP, Calls: 1, Keys: map[string]string{"number": number, "trunk": trunk, "code": code}}.Run(t)
			if got.Good != 1 {
				t.Errorf("a call to %s with X-Trunk %s: want %s: %s\n%s", number, trunk, code, got.Errors, got.Messages)
			}
			globalIs(t, a, "from", from)
		}
		const busy, refused = "486", "401"
		knocks("100", "none", refused, "nobody")
		knocks("100", "silver", busy, "silver")
		if release.Is(lab.Asterisk22) {
			knocks("t100", "none", busy, "tin")
		}
		home.Run(t, "set", "ps_endpoint_id_ips", "by-address", "endpoint=gold", "match=192.0.2.7,127.0.0.0/8")
		knocks("100", "none", busy, "gold")
		home.SQL(t, "DELETE FROM ps_endpoint_id_ips WHERE id = 'by-address'")
		lab.Eventually(t, soon, "the trunk has left Asterisk's list", func() bool {
			return lineOf(a.CLI(t, "pjsip show identifies"), "by-address") == ""
		})
		knocks("100", "none", refused, "nobody")
		quiet(t, a)
		quietNode(t, node)
	})
}

// knocksOnce calls without credentials and waits for a refusal.
const knocksOnce = `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="knocks once">
  <send retrans="500">
    <![CDATA[
      INVITE sip:[number]@[remote_ip]:[remote_port] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      Max-Forwards: 70
      From: <sip:stranger@[local_ip]>;tag=[pid]-[call_number]
      To: <sip:[number]@[remote_ip]>
      Call-ID: [call_id]
      CSeq: 1 INVITE
      Contact: <sip:stranger@[local_ip]:[local_port]>
      X-Trunk: [trunk]
      Content-Type: application/sdp
      Content-Length: [len]

      v=0
      o=lab 1 1 IN IP4 [local_ip]
      s=-
      c=IN IP4 [local_ip]
      t=0 0
      m=audio [media_port] RTP/AVP 0

    ]]>
  </send>
  <recv response="100" optional="true"/>
  <recv response="[code]" timeout="5000"/>
  <send>
    <![CDATA[
      ACK sip:[number]@[remote_ip]:[remote_port] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      Max-Forwards: 70
      From: <sip:stranger@[local_ip]>;tag=[pid]-[call_number]
      To: <sip:[number]@[remote_ip]>[peer_tag_param]
      Call-ID: [call_id]
      CSeq: 1 ACK
      Content-Length: 0

    ]]>
  </send>
</scenario>`
