package asterisk

import (
	"encoding/xml"
	"maps"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"asterism/test/lab"
)

// stopped is how long the node stands still under load.
const stopped = 30 * time.Second

// TestAnOutageOfTheNodeLosesNoContact restarts, kills and stops the node while phones
// register all the time. Whatever Asterisk gave up must not have been done.
func TestAnOutageOfTheNodeLosesNoContact(t *testing.T) {
	onEach(t, func(t *testing.T, release lab.Release) {
		t.Parallel() // most of it is waiting
		phones := lab.Phones{First: 30000, Count: 200}
		home := lab.NewHome(t)
		phones.Load(t, home)
		node := home.Serve(t)
		witness := lab.NewWitness(t, node.Asterisk)
		a := release.Start(t, lab.Settings{Node: witness.Address, Families: lab.PJSIP, Files: map[string]string{
			"sorcery.conf":  lab.Sorcery,
			"res_curl.conf": "[globals]\nconntimeout = 2\nhttptimeout = 10\n", // as the kit has it
		}})
		pass := func(what string) {
			t.Helper()
			if run := phones.Register(t, a, 5999, 3600, 20); run.Good != phones.Count {
				t.Errorf("asterisk %s, %s: %d of %d phones are registered: %.3000s", release.Name, what, run.Good, phones.Count, run.Errors)
			}
		}
		pass("before")
		before := contactsOf(t, home, phones.Count)
		again := phones.Registering(a, 5999, 3600, 20)
		again.Calls, again.Timeout = 1_000_000, 5*time.Minute
		load := again.Start(t)
		after := func(what string, requests int) {
			t.Helper()
			now := len(witness.Seen())
			lab.Eventually(t, 2*time.Minute, what+": Asterisk goes on asking", func() bool { return len(witness.Seen()) > now+requests })
		}
		after("load", 500)

		next := home.Serve(t, "--replace")
		node.Await(t)
		node = next
		after("a restart", 500)
		if faults := a.Faults(t); len(faults) > 0 {
			t.Errorf("asterisk %s noticed the restart: %s", release.Name, faults)
		}

		node.Kill(t)
		node = home.Serve(t)
		after("a kill", 500)

		node.Freeze(t)
		standsStill := time.Now()
		still := time.NewTimer(stopped)
		<-still.C
		node.Signal(t, syscall.SIGCONT)
		after("a stop", 500)
		load.Stop(t)

		kept := contactsOf(t, home, -1)
		asked := destroys(witness)
		for id := range before {
			// What was under way when the node was killed may have been done. What it could
			// only read after Asterisk had given up may not.
			excused := slices.ContainsFunc(asked[id], func(e lab.Exchange) bool { return e.Answered || e.Asked.Before(standsStill) })
			if !kept[id] && !excused {
				t.Errorf("asterisk %s: contact %s is gone, and nobody was told so: %v", release.Name, id, asked[id])
			}
		}
		t.Logf("asterisk %s: %d requests, %d contacts of which Asterisk asked to destroy", release.Name, len(witness.Seen()), len(asked))
		pass("one interval later")
		if now := contactsOf(t, home, phones.Count); !maps.Equal(now, before) {
			t.Errorf("asterisk %s: the contacts are others than before", release.Name)
		}
		if got := a.CLI(t, "core show uptime"); !strings.Contains(got, "System uptime") {
			t.Errorf("asterisk %s: %s", release.Name, got)
		}
	})
}

// contactsOf waits until SQL holds so many contacts and gives their ids; with -1
// until the node has flushed all that it has.
func contactsOf(t *testing.T, home *lab.Home, count int) map[string]bool {
	t.Helper()
	var ids []string
	lab.Eventually(t, time.Minute, "the contacts are in SQL", func() bool {
		ids = strings.Fields(home.SQL(t, "select id from ps_contacts order by id"))
		return len(ids) == count || count < 0 && strings.Contains(home.Run(t, "status"), "ready")
	})
	out := map[string]bool{}
	for _, id := range ids {
		out[strings.ReplaceAll(id, "^3B", ";")] = true
	}
	return out
}

// destroys are what an Asterisk asked to destroy, by the contact's id.
func destroys(w *lab.Witness) map[string][]lab.Exchange {
	asked := map[string][]lab.Exchange{}
	for _, exchange := range w.Seen() {
		if id := destroyed(exchange); id != "" {
			asked[id] = append(asked[id], exchange)
		}
	}
	return asked
}

// destroyed is the contact that a request, over the curl wire or SOAP, asks to destroy.
func destroyed(exchange lab.Exchange) string {
	if strings.HasSuffix(exchange.Path, "/ps_contacts/destroy") {
		if values, err := url.ParseQuery(strings.TrimSuffix(exchange.Body, "&")); err == nil {
			return values.Get("id")
		}
	}
	var envelope struct {
		Family string `xml:"Body>RealtimeDestroy>family"`
		ID     string `xml:"Body>RealtimeDestroy>condition>value"`
	}
	if xml.Unmarshal([]byte(exchange.Body), &envelope) == nil && envelope.Family == "ps_contacts" {
		return envelope.ID
	}
	return ""
}
