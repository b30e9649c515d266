package module

import (
	"net/textproto"
	"strconv"
	"testing"
	"time"

	"asterism/test/lab"
)

// TestKillsOfOneServerFailNoRegister: phones register all the time while one of two
// servers, by turns, is killed and started again.
func TestKillsOfOneServerFailNoRegister(t *testing.T) {
	on(t, func(t *testing.T, release lab.Release) {
		const rate, every = 200, 2 * time.Second
		lasts := time.Duration(sized(8, 60)) * time.Second
		phones := lab.Phones{First: 20_000, Count: 2_000}
		homes := twoHomes(t)
		phones.Load(t, homes[0])
		nodes := []*lab.Node{homes[0].Serve(t), homes[1].Serve(t)}
		a := release.Start(t, lab.Settings{Node: nodes[0].Asterisk, Families: lab.PJSIP, Files: map[string]string{
			"asterism.conf": conf("", nodes[0].Asterisk, nodes[1].Asterisk), "sorcery.conf": lab.Sorcery + onMiss(release),
		}})
		load := phones.Registering(a, 5998, 3600, 400)
		load.Rate, load.Calls, load.Timeout = rate, rate*int(lasts/time.Second), lasts+time.Minute
		running := load.Start(t)
		kills := 0
		for begun := time.Now(); time.Since(begun) < lasts; kills++ {
			next := time.NewTimer(every)
			nodes[kills%2].Kill(t)
			nodes[kills%2] = homes[kills%2].Serve(t)
			<-next.C
		}
		run := running.Wait(t)
		t.Logf("asterisk %s: %d REGISTERs good, %d bad in %v, %d kills; longest %v", release.Name, run.Good, run.Bad, run.Took.Round(time.Second), kills, run.Times[len(run.Times)-1])
		if run.Bad > 0 || run.Good != load.Calls {
			t.Errorf("%d of %d REGISTERs failed: %.3000s\n%s", load.Calls-run.Good, load.Calls, run.Errors, a.CLI(t, "asterism show servers"))
		}
	})
}

// onMiss is what the kit's sorcery.conf says of an update that meets no row, where
// the release knows it: of two nodes one may not have read yet what the other wrote.
func onMiss(release lab.Release) string {
	if release.Name == "16" {
		return ""
	}
	return "[general]\nupdate_or_create_on_update_miss = yes\n"
}

// twoHomes are those of two nodes on one database.
func twoHomes(t *testing.T) []*lab.Home {
	t.Helper()
	home := lab.NewHome(t)
	return []*lab.Home{home, home.Beside(t, "second")}
}

// TestServersComeAndGoOnceInTheLog: one WARNING when a server goes, however many calls
// are made, one NOTICE when it returns, and the preferred one is asked again then.
func TestServersComeAndGoOnceInTheLog(t *testing.T) {
	on(t, func(t *testing.T, release lab.Release) {
		homes := twoHomes(t)
		homes[0].Load(t, "numbers", [][]string{{"number", "codecs"}, {number(1), "ulaw"}})
		nodes := []*lab.Node{homes[0].Serve(t), homes[1].Serve(t)}
		port, files := managed(t, map[string]string{"asterism.conf": conf("[cache]\nsize = 0\n", nodes[0].Asterisk, nodes[1].Asterisk)})
		files["logger.conf"] = "[general]\n[logfiles]\nmessages => notice,warning,error\n"
		a := release.Start(t, lab.Settings{Node: nodes[0].Asterisk, Families: []string{"numbers"}, Files: files})
		manager := lab.NewManager(t, port)
		asks := func(what string) {
			t.Helper()
			for range 200 {
				if got := manager.Evaluate(t, "ASTERISM_CODECS("+number(1)+")"); got != "ulaw" {
					t.Fatalf("%s: %q", what, got)
				}
			}
		}
		asks("both are there")
		nodes[0].Kill(t)
		asks("the preferred one is gone")
		if got := count(a.Log(t), "is away"); got != 1 {
			t.Errorf("asterisk %s: %d lines tell that a server is away\n%s", release.Name, got, a.Log(t))
		}
		nodes[0] = homes[0].Serve(t)
		lab.Eventually(t, 20*time.Second, "the preferred one is back", func() bool { return count(a.Log(t), "answers again") == 1 })
		calls := callsOf(t, manager)
		asks("both are there again")
		if now := callsOf(t, manager); now[lab.SOAP(nodes[0].Asterisk)]-calls[lab.SOAP(nodes[0].Asterisk)] < 200 {
			t.Errorf("asterisk %s: the preferred server is not asked: %v, then %v", release.Name, calls, now)
		}
		nodes[0].Kill(t)
		nodes[1].Kill(t)
		if got := manager.Evaluate(t, "ASTERISM_CODECS("+number(1)+")"); got != "" {
			t.Errorf("asterisk %s: %q while nobody answers", release.Name, got)
		}
		if got := a.CLI(t, "asterism show servers"); count(got, " away ") != 2 {
			t.Errorf("asterisk %s: %s", release.Name, got)
		}
	})
}

// callsOf is how many calls each server got.
func callsOf(t *testing.T, manager *lab.Manager) map[string]int {
	t.Helper()
	calls := map[string]int{}
	for _, event := range serversOf(t, manager) {
		calls[event.Get("Server")] = asNumber(t, event, "Calls")
	}
	return calls
}

// serversOf is what the module tells of its servers, the preferred one first.
func serversOf(t *testing.T, manager *lab.Manager) (events []textproto.MIMEHeader) {
	t.Helper()
	for event := manager.Act(t, "AsterismServers"); event.Get("Event") != "AsterismServersComplete"; event = manager.Next(t) {
		if event.Get("Event") == "AsterismServer" {
			events = append(events, event)
		}
	}
	return events
}

// asNumber is a field of an event.
func asNumber(t *testing.T, event textproto.MIMEHeader, name string) int {
	t.Helper()
	n, err := strconv.Atoi(event.Get(name))
	if err != nil {
		t.Fatalf("%s of %v: %v", name, event, err)
	}
	return n
}
