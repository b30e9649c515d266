package asterisk

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestServerIsSetUpByRows: the settings of the whole server, its timers and one more
// transport are rows, read by the files of the kit as it writes them.
func TestServerIsSetUpByRows(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		branch := lab.FreePort(t)
		home.Run(t, "set", "ps_globals", "global", "user_agent=Exchange of the lab", "max_forwards=33", "default_realm=lab.example", "debug=no")
		home.Run(t, append([]string{"set", "ps_systems", "system", "timer_t1=600", "timer_b=40000", "compact_headers=yes"}, threads(release)...)...)
		home.Run(t, "set", "ps_transports", "transport-branch", "protocol=udp", fmt.Sprintf("bind=127.0.0.1:%d", branch))
		phones := lab.Phones{First: 6001, Count: 1}
		phones.Load(t, home)
		home.Run(t, "set", "ps_endpoints", "6001", "transport=transport-branch")
		node := home.Serve(t)
		files, sip := kit(t, release, node)
		a := release.Start(t, lab.Settings{SIP: sip, Files: files})
		settings := a.CLI(t, "pjsip show settings")
		for _, setting := range threads(release) {
			name, want, _ := strings.Cut(setting, "=")
			if _, got, _ := strings.Cut(lineOf(settings, " "+name), ":"); strings.TrimSpace(got) != want {
				t.Errorf("%s is %q, not %s: %s", name, got, want, settings)
			}
		}
		for name, want := range map[string]string{
			"user_agent": "Exchange of the lab", "max_forwards": "33", "default_realm": "lab.example", "timer_t1": "600", "timer_b": "40000", "compact_headers": "(yes|true)",
		} {
			if !regexp.MustCompile(`(?m)^\s*` + name + ` +: ` + want + `\s*$`).MatchString(settings) {
				t.Errorf("%s is not %s: %s", name, want, settings)
			}
		}
		transports := a.CLI(t, "pjsip show transports")
		for name, port := range map[string]int{"transport-udp": sip, "transport-branch": branch} {
			if line := lineOf(transports, name); !strings.Contains(line, fmt.Sprintf("127.0.0.1:%d", port)) {
				t.Errorf("%s: %q in %s", name, line, transports)
			}
		}

		through := phones.Registering(a, 5997, 600, 1)
		through.To = branch
		if got := through.Run(t); got.Good != 1 || !strings.Contains(got.Messages, "Server: Exchange of the lab") || !strings.Contains(got.Messages, `realm="lab.example"`) || !strings.Contains(got.Messages, "\nv: SIP/2.0/UDP") {
			t.Errorf("a phone through the other transport: %s\n%s", got.Errors, got.Messages)
		}
		sqlIs(t, home, "SELECT uri FROM ps_contacts", "sip:6001@127.0.0.1:5997")
		home.Run(t, "set", "ps_globals", "global", "user_agent=Exchange, renamed")
		becomes(t, "the name after a reload", "Exchange, renamed", func() string {
			a.CLI(t, "module reload res_pjsip.so")
			_, name, _ := strings.Cut(lineOf(a.CLI(t, "pjsip show settings"), " user_agent"), ": ")
			return strings.TrimSpace(name)
		})
		quiet(t, a)
		quietNode(t, node)
	})
}

// threads are what docs/kit.md says of PJSIP's threads, columns of ps_systems.
func threads(release lab.Release) []string {
	if release.Is(lab.Asterisk16) {
		return []string{"threadpool_initial_size=16"}
	}
	return []string{"taskpool_minimum_size=16", "taskpool_initial_size=16"}
}
