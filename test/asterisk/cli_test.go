package asterisk

import (
	"regexp"
	"testing"

	"asterism/test/lab"
)

// TestCommandsChangeJustTheirRow: "realtime load", "update", "update2", "store" and
// "destroy" of Asterisk's command line. The conditions of update2 come run together
// on the wire, and must still mean one row.
func TestCommandsChangeJustTheirRow(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Load(t, "voicemail", [][]string{
			{"context", "mailbox", "password", "fullname", "email"},
			{"office", "1001", "11", "Ann", "ann@example.com"},
			{"home", "1001", "22", "Bob", ""},
			{"office", "1002", "33", "Cem", ""},
		})
		home.Run(t, "set", "numbers", "4930", "codecs=ulaw,alaw")
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: []string{"voicemail", "numbers"}})
		says := func(want, command string) {
			t.Helper()
			if got := a.CLI(t, "%s", command); !regexp.MustCompile(want).MatchString(got) {
				t.Errorf("%s: want %s: %s", command, want, got)
			}
		}
		const rows = "SELECT context, mailbox, password, fullname, coalesce(email, '') FROM voicemail ORDER BY fullname"
		says(`codecs +ulaw,alaw`, "realtime load numbers number 4930")
		says(`No rows found`, "realtime load numbers number 4931")
		says(`(?s)mailbox +1002.*fullname +Cem`, "realtime load voicemail mailbox 1002")

		says(`Updated 1 RealTime record\.`, `realtime update voicemail mailbox 1002 email cem+new@example.com`)
		says(`Updated 0 RealTime records\.`, "realtime update voicemail mailbox 1009 email none")
		says(`Updated 1 RealTime record\.`, "realtime update2 voicemail context office mailbox 1001 NULL password 44")
		says(`Updated 1 RealTime record\.`, "realtime update2 voicemail mailbox 1001 context home NULL email b=c&d@example.com")
		says(`Updated 0 RealTime records\.`, "realtime update2 voicemail context home mailbox 1002 NULL password 66")
		sqlIs(t, home, rows, "office|1001|44|Ann|ann@example.com\nhome|1001|22|Bob|b=c&d@example.com\noffice|1002|33|Cem|cem+new@example.com")
		says(`password +44`, "realtime load voicemail uniqueid 1")

		says(`Stored 1 RealTime record|Stored RealTime record`, "realtime store voicemail context home mailbox 1003 password 77 fullname Dan")
		sqlIs(t, home, rows+" LIMIT 1 OFFSET 3", "home|1003|77|Dan|")
		says(`Removed 1 RealTime record\.`, "realtime destroy voicemail uniqueid 2")
		says(`Removed 0 RealTime records\.`, "realtime destroy voicemail uniqueid 2")
		sqlIs(t, home, rows, "office|1001|44|Ann|ann@example.com\noffice|1002|33|Cem|cem+new@example.com\nhome|1003|77|Dan|")
		quiet(t, a)
		quietNode(t, node)
	})
}
