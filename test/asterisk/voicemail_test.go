package asterisk

import (
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestVoicemailKeepsAMessageAndTakesANewPIN: a caller leaves a message, the owner of
// the mailbox changes the PIN at the phone, and only that mailbox gets it.
func TestVoicemailKeepsAMessageAndTakesANewPIN(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Load(t, "voicemail", [][]string{
			{"context", "mailbox", "password", "fullname"},
			{"office", "1001", "1234", "Ann"},
			{"home", "1001", "9999", "Bob"},
			{"office", "1002", "2222", "Cem"},
		})
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: []string{"voicemail"}, Files: map[string]string{
			"extensions.conf": onTest(
				"exten => leave,1,Answer()", "same => n,VoiceMail(1001@office,s)", "same => n,Set(GLOBAL(left)=${VMSTATUS})",
				"exten => speak,1,SendDTMF(ww#ww#ww#ww#)",
				"exten => main,1,Answer()", "same => n,VoiceMailMain(1001@office)",
				"exten => change,1,SendDTMF(1234#w0w5w4321#w4321#w,60,60)", "same => n,Set(GLOBAL(changed)=yes)",
				"exten => login,1,Answer()", "same => n,VMAuthenticate(1001@office)", "same => n,Set(GLOBAL(login)=${AUTH_MAILBOX})",
				"exten => new,1,SendDTMF(4321#,60,60)", "same => n,Wait(3)",
				"exten => old,1,SendDTMF(1234#,60,60)", "same => n,Wait(1)", "same => n,Set(GLOBAL(refused)=yes)",
			),
		}})
		local(t, a, "leave", "speak")
		globalIs(t, a, "left", "SUCCESS")
		if got := a.CLI(t, "voicemail show users for office"); !strings.Contains(got, "fullname: Ann") || !strings.Contains(got, "fullname: Cem") || strings.Contains(got, "Bob") {
			t.Errorf("mailboxes: %s", got)
		}
		if got := a.ReadFile(t, "spool/voicemail/office/1001/INBOX/msg0000.txt"); !strings.Contains(got, "origmailbox=1001") {
			t.Errorf("the message: %q", got)
		}

		local(t, a, "main", "change")
		globalIs(t, a, "changed", "yes")
		sqlIs(t, home, "SELECT context, mailbox, password FROM voicemail ORDER BY fullname", "office|1001|4321\nhome|1001|9999\noffice|1002|2222")
		local(t, a, "login", "old")
		globalIs(t, a, "refused", "yes")
		if got := global(t, a, "login"); got != "" {
			t.Errorf("the old PIN still opens: %s", got)
		}
		local(t, a, "login", "new")
		globalIs(t, a, "login", "1001")
		callsEnd(t, a)
		quiet(t, a)
		quietNode(t, node)
	})
}
