package asterisk

import (
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestFilesAreRows: a dialplan and a queues.conf are rows of ast_config, in the order
// of their metrics and with what they include; a row that changes is used after a
// reload of the module.
func TestFilesAreRows(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Load(t, "ast_config", [][]string{
			{"filename", "cat_metric", "var_metric", "category", "var_name", "var_val", "commented"},
			// Rows stand in no order; same => belongs to the line before.
			{"extensions.conf", "1", "3", "test", "same", "n,Set(GLOBAL(seen)=${GLOBAL(seen)} second)", "0"},
			{"extensions.conf", "1", "10", "test", "same", "n,Set(GLOBAL(seen)=${GLOBAL(seen)} third; \"quoted\")", "0"},
			{"extensions.conf", "1", "2", "test", "exten", "go,1,Set(GLOBAL(seen)=first)", "0"},
			{"extensions.conf", "1", "11", "test", "same", "n,Set(GLOBAL(seen)=never)", "1"},
			{"extensions.conf", "2", "1", "general", "static", "yes", "0"},
			{"queues.conf", "9", "1", "general", "shared_lastcall", "no", "0"},
			{"queues.conf", "5", "1", "support", "strategy", "ringall", "0"},
			{"queues.conf", "5", "2", "support", "member", "Local/go@test,3,Ann", "0"},
			{"queues.conf", "1", "1", "support", "#include", "more.conf", "0"},
			{"more.conf", "1", "1", "more", "strategy", "random", "0"},
		})
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: []string{"extensions.conf=ast_config", "queues.conf=ast_config"}})
		a.CLI(t, "channel originate Local/go@test application Wait 0.1")
		globalIs(t, a, "seen", `first second third; "quoted"`)
		shown := a.CLI(t, "queue show")
		if !strings.Contains(lineOf(shown, "support has"), "'ringall' strategy") || !strings.Contains(lineOf(shown, "more has"), "'random' strategy") || !strings.Contains(lineOf(shown, "Ann"), "with penalty 3") {
			t.Errorf("queues: %s", shown)
		}

		home.SQL(t, `UPDATE ast_config SET var_val = 'go,1,Set(GLOBAL(seen)=changed)' WHERE var_name = 'exten';
			UPDATE ast_config SET var_val = 'leastrecent' WHERE category = 'support' AND var_name = 'strategy';
			DELETE FROM ast_config WHERE var_name = '#include'`)
		lab.Eventually(t, soon, "the queues have changed", func() bool {
			a.CLI(t, "queue reload all")
			shown := a.CLI(t, "queue show")
			return strings.Contains(lineOf(shown, "support has"), "'leastrecent' strategy") && lineOf(shown, "more has") == ""
		})
		a.CLI(t, "dialplan reload")
		a.CLI(t, "channel originate Local/go@test application Wait 0.1")
		globalIs(t, a, "seen", `changed second third; "quoted"`)
		callsEnd(t, a)
		quiet(t, a)
		quietNode(t, node)
	})
}
