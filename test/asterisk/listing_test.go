package asterisk

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// listingCase is a policy and what a person then sees of three phones: one whose
// contact is from before the start, one that registers later, a trunk. docs/listing.md
// has the same in a table.
type listingCase struct {
	endpoints, aors string
	qualify         int
	listed          int // by pjsip show endpoints after the start
	before          string
	later           string
	trunk           string
}

const (
	right = "Idle"
	wrong = "Unavailable"
)

func TestListingPoliciesDecideWhoseStateIsKnown(t *testing.T) {
	const phones = 30
	onEach(t, func(t *testing.T, release lab.Release) {
		for _, c := range []listingCase{
			{"all", "all", 0, phones, right, right, right},
			{"all", "all", 2, phones, right, right, right},
			{"active", "active", 0, 2, right, wrong, right},
			{"asked", "active", 2, 2, right, right, right},
			{"asked", "none", 2, 0, wrong, right, wrong},
			{"none", "none", 2, 0, wrong, wrong, wrong},
		} {
			if release.Engine == lab.Native && c.endpoints == "asked" {
				continue // what a connection has just asked says nothing where threads share them
			}
			t.Run(fmt.Sprintf("%s-%s-qualify-%d", c.endpoints, c.aors, c.qualify), func(t *testing.T) {
				t.Parallel()
				c.look(t, release, lab.Phones{First: 6000, Count: phones, Qualify: c.qualify})
			})
		}
	})
}

// look boots an Asterisk under the policy and looks at the hints of the phones.
func (c listingCase) look(t *testing.T, release lab.Release, phones lab.Phones) {
	home := lab.NewHome(t, fmt.Sprintf("[families]\nlisting.ps_endpoints = %q\nlisting.ps_aors = %q", c.endpoints, c.aors))
	phones.Load(t, home)
	alive := lab.SIPp{Scenario: "alive", InFlight: 100, Timeout: 5 * time.Minute}.Start(t)
	before, later, trunk := phones.Name(1), phones.Name(2), phones.Name(3)
	contact := fmt.Sprintf("sip:%s@127.0.0.1:%d", before, alive.Port)
	home.Run(t, "set", "ps_contacts", before+";@0123456789abcdef0123456789abcdef", "uri="+contact, "endpoint="+before, "reg_server=lab",
		"expiration_time=4102444800", "qualify_timeout=3.0", "prune_on_boot=no", fmt.Sprintf("qualify_frequency=%d", c.qualify))
	home.Run(t, "set", "ps_aors", trunk, fmt.Sprintf("contact=sip:%s@127.0.0.1:%d", trunk, alive.Port))
	node := home.Serve(t)
	var hints []string
	for _, name := range []string{before, later, trunk} {
		hints = append(hints, fmt.Sprintf("exten => %s,hint,PJSIP/%s", name, name))
	}
	a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: lab.PJSIP, Files: map[string]string{
		"sorcery.conf": lab.Sorcery, "extensions.conf": onPhones(hints...),
	}})
	if got := len(shown.FindAllString(a.CLI(t, "pjsip show endpoints"), -1)); got != c.listed {
		t.Errorf("pjsip show endpoints lists %d, want %d", got, c.listed)
	}
	c.becomes(t, a, "with a contact from before the start", before, c.before)
	c.becomes(t, a, "a trunk", trunk, c.trunk)
	if run := phones.Part(2, 1).Register(t, a, alive.Port, 600, 1); run.Good != 1 {
		t.Fatalf("%s does not register: %s", later, run.Errors)
	}
	c.becomes(t, a, "registered later", later, c.later)
	quiet(t, a)
	quietNode(t, node)
}

// shown is a line of pjsip show endpoints with a phone in it.
var shown = regexp.MustCompile(`(?m)^ Endpoint:  \d`)

// becomes waits for the state of a hint. That it stays wrong can't be waited for: it is
// wrong although Asterisk knows the contact.
func (c listingCase) becomes(t *testing.T, a *lab.Asterisk, what, name, want string) {
	t.Helper()
	state := func() string {
		for line := range strings.Lines(a.CLI(t, "core show hints")) {
			if strings.Contains(line, "PJSIP/"+name+" ") {
				return line
			}
		}
		return ""
	}
	if want == right {
		lab.Eventually(t, 30*time.Second, what+": "+name+" is "+want, func() bool { return strings.Contains(state(), "State:"+want) })
		return
	}
	lab.Eventually(t, 30*time.Second, what+": "+name+" has its contact", func() bool {
		return strings.Contains(a.CLI(t, "pjsip show aor %s", name), "Contact:  "+name+"/")
	})
	if got := state(); !strings.Contains(got, "State:"+want) {
		t.Errorf("%s: %q, want %s", what, got, want)
	}
}
