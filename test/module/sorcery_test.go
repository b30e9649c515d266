package module

import (
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// TestAnObjectReadDuringItsChangeDoesNotStay: sorcery keeps what it was reading while
// the module took the object out; the module does it again a little later.
func TestAnObjectReadDuringItsChangeDoesNotStay(t *testing.T) {
	on(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		lab.Phones{First: 6001, Count: 1}.Load(t, home)
		node := home.Serve(t)
		witness := lab.NewWitness(t, node.Asterisk)
		port, files := managed(t, map[string]string{
			"asterism.conf": conf("answer_timeout = 10000\n[memory_cache]\nps_endpoints = res_pjsip/endpoint\n", witness.Address),
			"sorcery.conf":  strings.Replace(lab.Sorcery, "endpoint", "endpoint/cache = memory_cache,object_lifetime_maximum=600\nendpoint", 1),
		})
		a := release.Start(t, lab.Settings{Node: witness.Address, Families: lab.PJSIP, Files: files})
		manager := lab.NewManager(t, port)
		show := func() string { return a.CLI(t, "pjsip show endpoint 6001") }
		a.CLI(t, "sorcery memory cache expire res_pjsip/endpoint")
		a.CLI(t, "asterism flush cache")
		witness.HoldAnswers("RealtimeSingle")
		defer witness.Release()
		old := make(chan string)
		go func() { old <- show() }()
		lab.Eventually(t, 10*time.Second, "the row was read", func() bool { return witness.Held() == 1 })
		before := revision(t, manager)
		home.Run(t, "set", "ps_endpoints", "6001", "accountcode=changed")
		lab.Eventually(t, 10*time.Second, "the module has heard of the change", func() bool { return revision(t, manager) > before })
		witness.Release()
		if got := <-old; !strings.Contains(got, "6001") || strings.Contains(got, "changed") {
			t.Fatalf("the answer from before the change: %s", got)
		}
		lab.Eventually(t, 10*time.Second, "the object is read again", func() bool { return strings.Contains(lineWith(show(), "accountcode"), "changed") })
		quiet(t, a)
	})
}

// revision is up to where the module has heard of changes.
func revision(t *testing.T, manager *lab.Manager) (n int) {
	t.Helper()
	for event := manager.Act(t, "AsterismCache"); event.Get("Event") != "AsterismCacheComplete"; event = manager.Next(t) {
		if event.Get("Event") == "AsterismCache" {
			n = asNumber(t, event, "Revision")
		}
	}
	return n
}

// lineWith is the first line of a text with a word.
func lineWith(text, word string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			return line
		}
	}
	return ""
}
