package asterisk

import (
	"regexp"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestQueueLogIsInSQLInOrder: what happens in a queue is one row an event, in the
// order in which it happened, with the time to the microsecond.
func TestQueueLogIsInSQLInOrder(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		loadQueue(t, home)
		node := home.Serve(t)
		a := release.Start(t, queueSettings(node, "queue_log"))
		a.CLI(t, "dialplan set global taker 20")
		local(t, a, "call", "wait")
		globalIs(t, a, "over", " 10 20")
		callsEnd(t, a)
		a.CLI(t, "queue pause member Local/30@members/n queue sales reason tea;cake")
		sqlIs(t, home, "SELECT queuename, agent, event FROM queue_log WHERE event NOT IN ('QUEUESTART', 'ADDMEMBER') ORDER BY id",
			"sales|NONE|ENTERQUEUE\nsales|Ann|RINGNOANSWER\nsales|Bob|CONNECT\nsales|Bob|COMPLETEAGENT\nsales|Cem|PAUSE")
		times := strings.Fields(home.SQL(t, "SELECT replace(time, ' ', 'T') FROM queue_log ORDER BY id"))
		for i, time := range times {
			if !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$`).MatchString(time) || i > 0 && time < times[i-1] {
				t.Errorf("the times: %q", times)
			}
		}
		if got := home.SQL(t, "SELECT count(DISTINCT callid), max(length(callid)) > 5 FROM queue_log WHERE event IN ('ENTERQUEUE', 'CONNECT', 'COMPLETEAGENT')"); got != "1|1" {
			t.Errorf("the call's id: %s", got)
		}
		sqlIs(t, home, "SELECT data1 FROM queue_log WHERE event = 'PAUSE'", "tea^3Bcake")
		quiet(t, a)
		quietNode(t, node)
	})
}
