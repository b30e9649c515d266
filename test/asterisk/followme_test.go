package asterisk

import (
	"testing"

	"asterism/test/lab"
)

// TestFollowMeDialsInTheOrderOfTheOrdinals: numbers are tried by ordinal, which Asterisk
// wants without a gap, until one takes the call.
func TestFollowMeDialsInTheOrderOfTheOrdinals(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Load(t, "followme", [][]string{
			{"name", "context", "takecall", "declinecall", "enable_callee_prompt", "pls_hold_prompt", "connecting_prompt"},
			{"ann", "numbers", "1", "2", "no", "beep", "beep"},
		})
		home.Load(t, "followme_numbers", [][]string{
			{"name", "ordinal", "phonenumber", "timeout"}, {"ann", "3", "803", "5"}, {"ann", "2", "802", "5"}, {"bob", "0", "804", "5"}, {"ann", "1", "801", "5"},
		})
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: []string{"followme", "followme_numbers"}, Files: map[string]string{
			"extensions.conf": onTest(
				"exten => find,1,Answer()", "same => n,FollowMe(ann)", "same => n,Hangup()",
				"exten => wait,1,Wait(20)",
				"exten => h,1,Set(GLOBAL(over)=${GLOBAL(dialled)})",
				"[numbers]",
				"exten => _80X,1,Set(GLOBAL(dialled)=${GLOBAL(dialled)} ${EXTEN})", "same => n,GotoIf($[${EXTEN} = ${GLOBAL(home)}]?home)", "same => n,Hangup(17)",
				"same => n(home),Answer()", "same => n,Wait(0.3)", "same => n,Hangup()",
			),
		}})
		a.CLI(t, "dialplan set global home 803")
		local(t, a, "find", "wait")
		globalIs(t, a, "over", " 801 802 803")

		callsEnd(t, a)
		home.Run(t, "set", "followme_numbers", "ann,1", "phonenumber=803")
		a.CLI(t, "dialplan set global dialled again:")
		local(t, a, "find", "wait")
		globalIs(t, a, "over", "again: 803")
		callsEnd(t, a)
		quiet(t, a)
		quietNode(t, node)
	})
}
