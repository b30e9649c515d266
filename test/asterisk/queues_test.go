package asterisk

import (
	"strings"
	"testing"

	"asterism/test/lab"
)

// queueSettings are what an Asterisk needs for queues from a node: callers of the
// extension "call" wait in the queue sales, members are extensions that note who rang
// and take the call when the global variable "taker" names them.
func queueSettings(node *lab.Node, families ...string) lab.Settings {
	return lab.Settings{Node: node.Asterisk, Families: append([]string{"queues", "queue_members", "queue_rules"}, families...), Files: map[string]string{
		"queues.conf":     "[general]\nshared_lastcall = no\n",
		"queuerules.conf": "[general]\nrealtime_rules = yes\n",
		"extensions.conf": onTest(
			"exten => call,1,Answer()", "same => n,Queue(sales,,,,20)", "same => n,Hangup()",
			"exten => wait,1,Wait(20)",
			"exten => h,1,Set(GLOBAL(over)=${GLOBAL(rung)})",
			"[members]",
			"exten => _X0,1,Set(GLOBAL(rung)=${GLOBAL(rung)} ${EXTEN})", "same => n,GotoIf($[${EXTEN} = ${GLOBAL(taker)}]?take)", "same => n,Hangup(17)",
			"same => n(take),Answer()", "same => n,Wait(0.3)", "same => n,Hangup()",
		),
	}}
}

// loadQueue puts the queue, its three members, not in their order, and the rule that
// it names into a store.
func loadQueue(t *testing.T, home *lab.Home) {
	t.Helper()
	home.Load(t, "queues", [][]string{{"name", "strategy", "timeout", "retry", "musiconhold", "servicelevel", "defaultrule"}, {"sales", "linear", "5", "1", "default", "60", "later"}})
	home.Load(t, "queue_members", [][]string{
		{"queue_name", "interface", "membername", "paused", "reason_paused"},
		{"sales", "Local/30@members/n", "Cem", "0", ""},
		{"sales", "Local/10@members/n", "Ann", "0", ""},
		{"sales", "Local/20@members/n", "Bob", "0", ""},
		{"other", "Local/20@members/n", "Dan", "1", "holiday"}, // Asterisk writes reasons when it saw one as it started
	})
	home.SQL(t, "INSERT INTO queue_rules (rule_name, time, min_penalty, max_penalty) VALUES ('later', '30', '0', '5'), ('later', '60', '2', '9')")
}

// TestQueueRingsItsMembersInOrder: a linear queue rings its members by interface, and
// knows at the next call who was added, paused or taken out in SQL meanwhile.
func TestQueueRingsItsMembersInOrder(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		loadQueue(t, home)
		node := home.Serve(t)
		a := release.Start(t, queueSettings(node))
		rings := func(name, taker, want string) {
			t.Helper()
			a.CLI(t, "dialplan set global taker %s", taker)
			a.CLI(t, "dialplan set global rung %s:", name)
			local(t, a, "call", "wait")
			globalIs(t, a, "over", name+":"+want)
			callsEnd(t, a)
		}
		rings("all", "30", " 10 20 30")
		home.Run(t, "set", "queue_members", "sales,Local/20@members/n", "paused=1")
		home.Run(t, "set", "queue_members", "sales,Local/00@members/n", "membername=Eve")
		rings("changed", "00", " 10 30 00") // one that comes later stands behind the others

		home.SQL(t, "DELETE FROM queue_members WHERE membername IN ('Ann', 'Eve'); UPDATE queue_members SET paused = 0")
		lab.Eventually(t, soon, "Ann has left the queue", func() bool { return lineOf(a.CLI(t, "queue show sales"), "Ann") == "" })
		rings("fewer", "30", " 20 30")

		home.Run(t, "delete", "queues", "sales")
		lab.Eventually(t, soon, "the queue is gone", func() bool {
			return strings.Contains(a.CLI(t, "queue show sales"), "No such queue: sales")
		})
		quiet(t, a)
		quietNode(t, node)
	})
}

// TestQueueWritesWhatIsToldToIt: pause, reason and penalty that somebody tells an
// Asterisk are in SQL, for this queue's member only, and stay when it restarts.
func TestQueueWritesWhatIsToldToIt(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		loadQueue(t, home)
		node := home.Serve(t)
		a := release.Start(t, queueSettings(node))
		const rows = "SELECT membername, paused, penalty, coalesce(reason_paused, '') FROM queue_members ORDER BY membername"
		a.CLI(t, "queue show sales")
		a.CLI(t, "queue pause member Local/20@members/n queue sales reason lunch")
		a.CLI(t, "queue set penalty 4 on Local/30@members/n in sales")
		reason := "lunch"
		if release.Is(lab.Asterisk16) {
			reason = "" // the old one keeps the reason to itself
		}
		sqlIs(t, home, rows, "Ann|0||\nBob|1||"+reason+"\nCem|0|4|\nDan|1||holiday")
		a.Stop(t)
		a.Run(t)
		shown := a.CLI(t, "queue show sales")
		for member, want := range map[string]string{"Ann": "", "Bob": "(paused", "Cem": "with penalty 4"} {
			if line := lineOf(shown, member); line == "" || !strings.Contains(line, want) {
				t.Errorf("%s after a restart: %q in %s", member, line, shown)
			}
		}
		a.CLI(t, "queue unpause member Local/20@members/n queue sales")
		sqlIs(t, home, "SELECT paused FROM queue_members WHERE membername = 'Bob'", "0")

		rules := a.CLI(t, "queue show rules later")
		if !strings.Contains(rules, "After 30 seconds") || !strings.Contains(rules, "After 60 seconds") || !strings.Contains(rules, "to 9") {
			t.Errorf("rules: %s", rules)
		}
		quiet(t, a)
		quietNode(t, node)
	})
}

// lineOf is the line of a text that has a word.
func lineOf(text, word string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
