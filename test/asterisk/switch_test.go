package asterisk

import (
	"strings"
	"testing"

	"asterism/test/lab"
)

// shop are the rows of a dialplan that Asterisk asks for step by step: context, exten,
// priority, app, appdata.
var shop = [][]string{
	{"context", "exten", "priority", "app", "appdata"},
	{"shop", "100", "1", "Answer", ""},
	{"shop", "100", "2", "MSet", "went=100,GLOBAL(exact)=${EXTEN}"},
	{"shop", "100", "3", "Set", "GLOBAL(exact)=${GLOBAL(exact)} priority ${PRIORITY}"},
	{"shop", "101", "1", "Answer", ""},
	{"shop", "101", "2", "Wait", "5"},
	{"shop", "_9XX", "1", "Set", "GLOBAL(pattern)=three ${EXTEN}"},
	{"shop", "_9.", "1", "Set", "GLOBAL(pattern)=more ${EXTEN}"},
	{"shop", "900", "1", "Set", "GLOBAL(pattern)=exactly ${EXTEN}"},
	{"shop", "h", "1", "Set", "GLOBAL(hung)=${went}"},
	{"shop", "i", "1", "Set", "GLOBAL(invalid)=${INVALID_EXTEN}"},
	{"shop", "t", "1", "Set", "GLOBAL(late)=yes"},
	{"shop", "menu", "1", "Answer", ""},
	{"shop", "menu", "2", "Set", "TIMEOUT(digit)=2"},
	{"shop", "menu", "3", "Set", "GLOBAL(menu)=open"},
	{"shop", "menu", "4", "WaitExten", "9"},
	{"shop", "hurry", "1", "Answer", ""},
	{"shop", "hurry", "2", "WaitExten", "0.5"},
	{"shop", "777", "1", "Set", "GLOBAL(chosen)=${EXTEN}"},
	{"shop", "7775", "1", "Set", "GLOBAL(chosen)=${EXTEN}"},
	{"shop", "_6XX", "1", "Set", "GLOBAL(chosen)=${EXTEN}"},
	{"other", "100", "1", "Set", "GLOBAL(exact)=foreign"},
	{"other", "102", "1", "Set", "GLOBAL(exact)=foreign"},
}

// switchSettings send the contexts test and phones to the rows of shop; in far are
// those who press digits.
func switchSettings(node *lab.Node) lab.Settings {
	return lab.Settings{Node: node.Asterisk, Families: append([]string{"extensions"}, lab.PJSIP...), Files: map[string]string{
		"sorcery.conf": lab.Sorcery,
		"extensions.conf": onTest(
			"switch => Realtime/shop@extensions",
			"exten => look,1,Set(GLOBAL(found)=100:${DIALPLAN_EXISTS(test,100,1)} 102:${DIALPLAN_EXISTS(test,102,1)} 912:${DIALPLAN_EXISTS(test,912,1)} without patterns:${DIALPLAN_EXISTS(plain,912,1)} ${DIALPLAN_EXISTS(plain,100,1)})",
			"[plain]", "switch => Realtime/shop@extensions/p",
			"[phones]", "switch => Realtime/shop@extensions",
			"[far]", "exten => nothing,1,Wait(10)", "exten => _X!,1,Wait(0.1)", `same => n,GotoIf($["${GLOBAL(menu)}" != "open"]?1)`, "same => n,SendDTMF(w${EXTEN},50,50)", "same => n,Wait(10)",
		),
	}}
}

// TestDialplanRunsFromRows: extensions come from rows, step by step, exact ones before
// patterns, with h, i and t, and what is dialled digit by digit waits for the next one
// as long as a row may still match.
func TestDialplanRunsFromRows(t *testing.T) {
	onEach(t, func(t *testing.T, release lab.Release) {
		t.Parallel() // most of it is waiting
		home := lab.NewHome(t)
		home.Load(t, "extensions", shop)
		phones := lab.Phones{First: 6001, Count: 1}
		phones.Load(t, home)
		node := home.Serve(t)
		a := release.Start(t, switchSettings(node))
		calls := func(number, digits, name, want string) {
			t.Helper()
			a.CLI(t, "dialplan set global %s nothing", name)
			a.CLI(t, "dialplan set global menu closed")
			a.CLI(t, "channel originate Local/%s@test/n extension %s@far", number, digits)
			globalIs(t, a, name, want)
		}
		calls("100", "nothing", "exact", "100 priority 3")
		globalIs(t, a, "hung", "100")
		calls("912", "nothing", "pattern", "three 912")
		calls("9123", "nothing", "pattern", "more 9123")
		calls("900", "nothing", "pattern", "exactly 900")
		calls("look", "nothing", "found", "100:1 102:0 912:1 without patterns:0 1")

		calls("menu", "777", "chosen", "777")
		calls("menu", "7775", "chosen", "7775")
		calls("menu", "612", "chosen", "612")
		calls("menu", "8", "invalid", "8")
		calls("hurry", "nothing", "late", "yes")

		for number, want := range map[string]string{"101": "SIP/2.0 200", "77": "SIP/2.0 484", "61": "SIP/2.0 484", "8": "SIP/2.0 404", "102": "SIP/2.0 404"} {
			got := lab.SIPp{
				Scenario: "call", To: a.SIP, Calls: 1, Keys: map[string]string{"payloads": "0", "pause": "50"},
				Lines: phones.Lines(func(string) string { return number }),
			}.Run(t)
			if !strings.Contains(got.Messages, want) {
				t.Errorf("an INVITE to %s: want %s: %s", number, want, got.Messages)
			}
		}

		home.Run(t, "set", "extensions", "shop,103,1", "app=Set", "appdata=GLOBAL(exact)=new")
		calls("103", "nothing", "exact", "new")
		home.SQL(t, "DELETE FROM extensions WHERE context = 'shop' AND exten = '100'; UPDATE extensions SET context = 'shop' WHERE exten = '102'")
		becomes(t, "what exists after a change in SQL", "100:0 102:1 912:1 without patterns:0 0", func() string {
			a.CLI(t, "dialplan set global found nothing")
			a.CLI(t, "channel originate Local/look@test/n extension nothing@far")
			var found string
			lab.Eventually(t, soon, "the dialplan has looked", func() bool { found = global(t, a, "found"); return found != "nothing" })
			return found
		})
		a.CLI(t, "channel request hangup all")
		callsEnd(t, a)
		quiet(t, a)
		quietNode(t, node)
	})
}
