package asterisk

import (
	"strconv"
	"testing"

	"asterism/test/lab"
)

func TestPhonesRegisterAndCall(t *testing.T) {
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		phones := lab.Phones{First: 6001, Count: 20}
		phones.Load(t, home)
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: lab.PJSIP, Files: map[string]string{
			"sorcery.conf":    lab.Sorcery,
			"extensions.conf": onPhones("exten => _XXXX,1,Dial(PJSIP/${EXTEN},20)"),
		}})
		phone := lab.SIPp{Scenario: "answer", InFlight: 100, Keys: map[string]string{"payloads": "0"}, Port: lab.FreePort(t)}.Start(t)
		if got := phones.Register(t, a, phone.Port, 3600, 10); got.Good != 20 {
			t.Errorf("registered %d: %s", got.Good, got.Errors)
		}
		calls := lab.SIPp{
			Scenario: "call", To: a.SIP, Calls: 5, InFlight: 5, Keys: map[string]string{"payloads": "0 8", "pause": "100"},
			Lines: phones.Lines(func(name string) string { n, _ := strconv.Atoi(name); return strconv.Itoa(n + 1) }),
		}.Run(t)
		if calls.Good != 5 {
			t.Errorf("calls: %+v", calls)
		}

		quiet(t, a)
		quietNode(t, node)
	})
}
