package asterisk

import (
	"fmt"
	"testing"

	"asterism/test/lab"
)

const (
	noMessage  = `^NOTIFY [^\x00]*Messages-Waiting: no`
	oneMessage = `^NOTIFY [^\x00]*Messages-Waiting: yes[^\x00]*Voice-Message: 1/0`
)

// TestPhonesAreToldOfTheirMessages: a phone whose endpoint has a mailbox is told when
// a message comes and when it is gone: one that was there at the start, one whose
// mailbox came later, and one that subscribes to the mailbox of an aor.
func TestPhonesAreToldOfTheirMessages(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		phones := lab.Phones{First: 6001, Count: 2}
		phones.Load(t, home)
		home.Load(t, "voicemail", [][]string{{"context", "mailbox", "password", "fullname"}, {"office", "1001", "1234", "Ann"}})
		early, later, subscriber := newWatcher(t, "6001"), newWatcher(t, "6002"), newWatcher(t, "desk")
		home.Run(t, "set", "ps_endpoints", "6001", "mailboxes=1001@office")
		home.Run(t, "set", "ps_contacts", "6001;@0123456789abcdef0123456789abcdef", fmt.Sprintf("uri=sip:6001@127.0.0.1:%d", early.Port), "endpoint=6001", "reg_server=lab",
			"expiration_time=4102444800", "qualify_timeout=3.0", "qualify_frequency=0", "prune_on_boot=no")
		home.Run(t, "set", "ps_endpoints", "desk", "transport=transport-udp", "aors=desk", "context=test", "disallow=all", "allow=ulaw")
		home.Run(t, "set", "ps_aors", "desk", "mailboxes=1001@office")
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: append([]string{"voicemail"}, lab.PJSIP...), Files: map[string]string{
			"sorcery.conf":   lab.Sorcery,
			"voicemail.conf": "[general]\nformat = wav\n",
			"extensions.conf": onTest(
				"exten => leave,1,Answer()", "same => n,VoiceMail(1001@office,s)", "exten => speak,1,SendDTMF(ww#ww#ww#ww#)",
				"exten => main,1,Answer()", "same => n,VoiceMailMain(1001@office)", "exten => delete,1,SendDTMF(1234#w1w7w#w#,60,60)", "same => n,Wait(1)",
			),
		}})
		_, heardEarly := early.hears(t, 0, noMessage)
		home.Run(t, "set", "ps_endpoints", "6002", "mailboxes=1001@office")
		if got := phones.Part(1, 1).Register(t, a, later.Port, 600, 1); got.Good != 1 {
			t.Fatalf("6002 is not registered: %s\n%s", got.Errors, got.Messages)
		}
		_, heardLater := later.hears(t, 0, noMessage)
		subscriber.subscribe(t, a, topic{"desk", []string{"Event: message-summary", "Accept: application/simple-message-summary"}}, 600)
		_, heardSubscriber := subscriber.hears(t, 0, noMessage)

		local(t, a, "leave", "speak")
		_, heardEarly = early.hears(t, heardEarly, oneMessage)
		_, heardLater = later.hears(t, heardLater, oneMessage)
		_, heardSubscriber = subscriber.hears(t, heardSubscriber, oneMessage)
		callsEnd(t, a)
		local(t, a, "main", "delete")
		early.hears(t, heardEarly, noMessage)
		later.hears(t, heardLater, noMessage)
		subscriber.hears(t, heardSubscriber, noMessage)
		quiet(t, a)
		quietNode(t, node)
	})
}
