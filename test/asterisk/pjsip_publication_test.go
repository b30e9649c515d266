package asterisk

import (
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestPublishedStateIsTaken: another exchange may publish the state of its devices
// where rows of ps_inbound_publications and ps_asterisk_publications say so.
func TestPublishedStateIsTaken(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Load(t, "ps_endpoints", [][]string{{"id", "transport", "context", "disallow", "allow"}, {"exchange", "transport-udp", "test", "all", "ulaw"}, {"stranger", "transport-udp", "test", "all", "ulaw"}})
		home.Load(t, "ps_inbound_publications", [][]string{{"id", "endpoint", "event_asterisk-devicestate"}, {"doors", "exchange", "their-doors"}})
		home.Load(t, "ps_asterisk_publications", [][]string{{"id", "device_state", "device_state_filter", "mailbox_state"}, {"their-doors", "yes", "^Custom:", "no"}})
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: append([]string{"ps_inbound_publications", "ps_asterisk_publications"}, lab.PJSIP...), Files: map[string]string{
			"sorcery.conf": lab.Sorcery + "[res_pjsip_pubsub]\ninbound-publication = realtime,ps_inbound_publications\n" +
				"[res_pjsip_publish_asterisk]\nasterisk-publication = realtime,ps_asterisk_publications\n",
			"extensions.conf": onTest("exten => door,hint,Custom:door"),
		}})
		publishes := func(from, to, state, code string) {
			t.Helper()
			if got := (lab.SIPp{Scenario: publishesOnce, To: a.SIP, Calls: 1, Keys: map[string]string{"from": from, "to": to, "state": state, "code": code}}).Run(t); got.Good != 1 {
				t.Errorf("%s to %s: want %s: %s\n%s", from, to, code, got.Errors, got.Messages)
			}
		}
		door := func() string {
			_, state, _ := strings.Cut(lineOf(a.CLI(t, "core show hint door"), "Custom:door"), "State:")
			state, _, _ = strings.Cut(state, " ")
			return state
		}
		becomes(t, "the door at first", "Idle", door)
		publishes("stranger", "doors", "RINGING", "403")
		publishes("exchange", "windows", "RINGING", "404")
		publishes("exchange", "doors", "INUSE", "200")
		becomes(t, "the door", "InUse", door)
		home.Run(t, "set", "ps_inbound_publications", "windows", "endpoint=exchange", "event_asterisk-devicestate=their-doors")
		learns(t, a, "ps_inbound_publications", "windows", "their-doors")
		publishes("exchange", "windows", "RINGING", "200")
		becomes(t, "the door", "Ringing", door)
		quiet(t, a)
		quietNode(t, node)
	})
}

// TestStateIsPublished: a row of ps_outbound_publishes says where Asterisk publishes the
// states of its devices, when a row of ps_asterisk_publications wants that.
func TestStateIsPublished(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		exchange := lab.SIPp{Scenario: takesPublication, Calls: 1}.Start(t)
		home := lab.NewHome(t)
		there := "sip:gates@127.0.0.1:" + itoa(exchange.Port)
		home.Load(t, "ps_asterisk_publications", [][]string{{"id", "devicestate_publish", "device_state"}, {"our-gates", "to-them", "yes"}})
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: append([]string{"ps_outbound_publishes", "ps_asterisk_publications"}, lab.PJSIP...), Files: map[string]string{
			"sorcery.conf": lab.Sorcery + "[res_pjsip_outbound_publish]\noutbound-publish = realtime,ps_outbound_publishes\n" +
				"[res_pjsip_publish_asterisk]\nasterisk-publication = realtime,ps_asterisk_publications\n",
		}})
		// Not at boot: what a far side answers while modules still load is a fault to 22.
		home.Run(t, "set", "ps_outbound_publishes", "to-them", "server_uri="+there, "from_uri=sip:us@127.0.0.1", "to_uri="+there, "event=asterisk-devicestate", "transport=transport-udp", "expiration=600")
		learns(t, a, "ps_outbound_publishes", "to-them", "asterisk-devicestate")
		a.CLI(t, "module reload res_pjsip_outbound_publish.so")
		a.CLI(t, "devstate change Custom:gate RINGING")
		got := exchange.Wait(t)
		if got.Good != 1 || !strings.Contains(got.Messages, `"Custom:gate"`) || !strings.Contains(got.Messages, `"RINGING"`) {
			t.Errorf("published: %s\n%s", got.Errors, got.Messages)
		}
		quiet(t, a)
		quietNode(t, node)
	})
}

// takesPublication is an exchange that takes one publication.
const takesPublication = `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="takes a publication">
  <recv request="PUBLISH" timeout="20000"/>
  <send>
    <![CDATA[
      SIP/2.0 200 OK
      [last_Via:]
      [last_From:]
      [last_To:];tag=[pid]-[call_number]
      [last_Call-ID:]
      [last_CSeq:]
      SIP-ETag: first
      Expires: 600
      Content-Length: 0

    ]]>
  </send>
</scenario>`

// publishesOnce is an exchange that publishes the state of one device.
const publishesOnce = `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="publishes once">
  <send retrans="500">
    <![CDATA[
      PUBLISH sip:[to]@[remote_ip]:[remote_port] SIP/2.0
      Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
      Max-Forwards: 70
      From: <sip:[from]@[local_ip]>;tag=[pid]-[call_number]
      To: <sip:[to]@[remote_ip]>
      Call-ID: [call_id]
      CSeq: 1 PUBLISH
      Contact: <sip:[from]@[local_ip]:[local_port]>
      Event: asterisk-devicestate
      Expires: 600
      Content-Type: application/json
      Content-Length: [len]

      {"type":"devicestate","device":"Custom:door","state":"[state]","cachable":1,"eid":"02:00:00:00:00:07"}

    ]]>
  </send>
  <recv response="[code]" timeout="5000"/>
</scenario>`
