package asterisk

import (
	"fmt"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestIAXBranchRegistersAndCalls: one Asterisk, from files, registers with the other,
// which has the peer from a node; its address is then in SQL, and calls go both ways.
func TestIAXBranchRegistersAndCalls(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		home.Load(t, "iaxfriends", [][]string{
			{"name", "type", "username", "host", "secret", "auth", "context", "disallow", "allow", "requirecalltoken"},
			{"branch", "friend", "center", "dynamic", "secret-branch", "md5", "test", "all", "ulaw", "no"},
			{"closed", "friend", "", "dynamic", "secret-closed", "md5", "test", "all", "ulaw", "no"},
		})
		node := home.Serve(t)
		center, branch := lab.FreePort(t), lab.FreePort(t)
		a := release.Start(t, lab.Settings{Load: []string{"chan_iax2"}, Node: node.Asterisk, Families: []string{"iaxusers=iaxfriends", "iaxpeers=iaxfriends"}, Files: map[string]string{
			"iax.conf": iaxGeneral(center),
			"extensions.conf": onTest(
				"exten => hello,1,Set(GLOBAL(caller)=${CHANNEL(peername)})", "same => n,Answer()", "same => n,Wait(0.3)", "same => n,Hangup()",
			),
		}})
		other := lab.Asterisk22
		if release.Is(other) {
			other = lab.Asterisk16
		}
		b := other.Start(t, lab.Settings{Name: "branch", Load: []string{"chan_iax2"}, Files: map[string]string{
			"iax.conf": iaxGeneral(branch) + fmt.Sprintf("register => branch:secret-branch@127.0.0.1:%d\n", center) +
				fmt.Sprintf("[center]\ntype = friend\nhost = 127.0.0.1\nport = %d\nusername = branch\nsecret = secret-branch\ncontext = test\ndisallow = all\nallow = ulaw\nrequirecalltoken = no\nauth = md5\n", center),
			"extensions.conf": onTest("exten => ring,1,Set(GLOBAL(rang)=yes)", "same => n,Answer()", "same => n,Wait(0.3)", "same => n,Hangup()"),
		}})
		sqlIs(t, home, "SELECT ipaddr, port, strftime('%s', 'now') - regseconds < 60 FROM iaxfriends WHERE name = 'branch'", fmt.Sprintf("127.0.0.1|%d|1", branch))
		if got := b.CLI(t, "iax2 show registry"); !strings.Contains(got, "Registered") {
			t.Errorf("the branch: %s", got)
		}

		b.CLI(t, "channel originate IAX2/center/hello application Wait 1")
		globalIs(t, a, "caller", "branch")
		a.CLI(t, "channel originate IAX2/branch/ring application Wait 1")
		globalIs(t, b, "rang", "yes")
		if got := home.SQL(t, "SELECT coalesce(ipaddr, ''), coalesce(port, 0) FROM iaxfriends WHERE name = 'closed'"); got != "|0" {
			t.Errorf("the other peer: %s", got)
		}
		callsEnd(t, a)
		callsEnd(t, b)
		quiet(t, a)
		quiet(t, b)
		quietNode(t, node)
	})
}

// iaxGeneral is the head of an iax.conf that listens on a port of 127.0.0.1. Without
// rtcachefriends Asterisk may write away the address that has just registered
// (docs/kit.md).
func iaxGeneral(port int) string {
	return fmt.Sprintf("[general]\nbindaddr = 127.0.0.1:%d\nautokill = yes\nrtcachefriends = yes\n", port)
}
