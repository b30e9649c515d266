package asterisk

import (
	"fmt"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestSubscriptionIsARowWhileItLasts: what a phone watches is a row of
// ps_subscription_persistence, which a refresh changes and the end removes. Over
// res_config_curl it is not more than that: the phone's request is cut at 255 bytes, so
// that Asterisk can't take the subscription up after a restart. The node says so.
func TestSubscriptionIsARowWhileItLasts(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Run(t, "set", "ps_endpoints", "6001", "transport=transport-udp", "aors=6001", "context=test", "disallow=all", "allow=ulaw")
		home.Run(t, "set", "ps_aors", "6001", "max_contacts=1")
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: append([]string{"ps_subscription_persistence"}, lab.PJSIP...), Files: map[string]string{
			"sorcery.conf":    lab.Sorcery + "[res_pjsip_pubsub]\nsubscription_persistence = realtime,ps_subscription_persistence\n",
			"extensions.conf": onTest("exten => door,hint,Custom:door"),
		}})
		a.CLI(t, "devstate change Custom:door NOT_INUSE")
		door := topic{"door", []string{"Event: presence", "Accept: application/pidf+xml"}}
		phone := newWatcher(t, "6001")
		answer, before := phone.subscribe(t, a, door, 600)
		if !strings.HasPrefix(answer, "SIP/2.0 200") {
			t.Fatalf("the answer: %s", answer)
		}
		_, heard := phone.hears(t, before, `^NOTIFY [^\x00]*Subscription-State: active[^\x00]*<note>Ready</note>`)
		const all = "SELECT endpoint, src_port, contact_uri, cseq > 0, expires - strftime('%s', 'now') BETWEEN "
		row := fmt.Sprintf("6001|%d|<sip:6001@127.0.0.1:%d>|1|1", phone.Port, phone.Port)
		sqlIs(t, home, all+"500 AND 600 FROM ps_subscription_persistence", row)
		a.CLI(t, "devstate change Custom:door INUSE")
		phone.hears(t, heard, `^NOTIFY [^\x00]*Subscription-State: active[^\x00]*<note>On the phone</note>`)
		_, before = phone.subscribe(t, a, door, 3000)
		phone.hears(t, before, `^NOTIFY `)
		sqlIs(t, home, all+"2900 AND 3000 FROM ps_subscription_persistence", row)
		phone.subscribe(t, a, door, 0)
		sqlIs(t, home, "SELECT count(*) FROM ps_subscription_persistence", "0")
		quiet(t, a)
		if release.Engine == lab.Native {
			quietNode(t, node) // the module cuts nothing
			return
		}
		for line := range strings.Lines(node.Log.String()) {
			if strings.Contains(line, `"level":"WARN"`) != strings.Contains(line, `"column":"packet","bytes":255`) || strings.Contains(line, `"level":"ERROR"`) {
				t.Errorf("the node: %s", line)
			}
		}
		if !strings.Contains(node.Log.String(), "probably cut a value") {
			t.Error("the node does not tell that the phone's request was cut")
		}
	})
}

// TestOneSubscriptionWatchesAList: the members of a list are a row of ps_resource_list,
// and one NOTIFY tells of all of them.
func TestOneSubscriptionWatchesAList(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Run(t, "set", "ps_endpoints", "6001", "transport=transport-udp", "aors=6001", "context=test", "disallow=all", "allow=ulaw")
		home.Run(t, "set", "ps_aors", "6001", "max_contacts=1")
		home.Run(t, "set", "ps_resource_list", "doors", "list_item=front,back", "event=presence", "full_state=yes", "notification_batch_interval=0")
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: append([]string{"ps_resource_list"}, lab.PJSIP...), Files: map[string]string{
			"sorcery.conf":    lab.Sorcery + "[res_pjsip_pubsub]\nresource_list = realtime,ps_resource_list\n",
			"extensions.conf": onTest("exten => front,hint,Custom:front", "exten => back,hint,Custom:back", "exten => garage,hint,Custom:garage"),
		}})
		a.CLI(t, "devstate change Custom:back INUSE")
		doors := topic{"doors", []string{"Event: presence", "Supported: eventlist", "Accept: application/pidf+xml, application/rlmi+xml, multipart/related"}}
		phone := newWatcher(t, "6001")
		_, before := phone.subscribe(t, a, doors, 600)
		notice, _ := phone.hears(t, before, `^NOTIFY [^\x00]*application/rlmi\+xml[^\x00]*On the phone`)
		for name, want := range map[string]bool{"front": true, "back": true, "garage": false} {
			if strings.Contains(notice, "sip:"+name+"@") != want {
				t.Errorf("%s is in the list: want %v: %s", name, want, notice)
			}
		}
		home.Run(t, "set", "ps_resource_list", "doors", "list_item=front,garage")
		learns(t, a, "ps_resource_list", "doors", "garage")
		another := newWatcher(t, "6001")
		_, before = another.subscribe(t, a, doors, 600)
		another.hears(t, before, `^NOTIFY [^\x00]*sip:garage@`)
		quiet(t, a)
		quietNode(t, node)
	})
}
