package asterisk

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"asterism/test/lab"
)

func itoa(n int) string { return strconv.Itoa(n) }

// callFrom makes one call from an endpoint to a number, with these payload types.
func callFrom(t *testing.T, a *lab.Asterisk, endpoint, number, payloads string) lab.Calls {
	t.Helper()
	return lab.SIPp{
		Scenario: "call", To: a.SIP, Calls: 1, Keys: map[string]string{"payloads": payloads, "pause": "50"},
		Lines: [][]string{{endpoint, "[authentication username=caller password=secret-6001]", number}},
	}.Run(t)
}

var audio = regexp.MustCompile(`(?m)^m=audio \d+ RTP/AVP ([\d ]+)`)

// offers are the payload types of every description that went over the wire.
func offers(messages string) (all []string) {
	for _, found := range audio.FindAllStringSubmatch(messages, -1) {
		all = append(all, strings.TrimSpace(found[1]))
	}
	return all
}

func hasPayload(offer, payload string) bool { return slices.Contains(strings.Fields(offer), payload) }

// withoutEvents leaves out dynamic payload types: those of telephone events.
func withoutEvents(offer string) string {
	kept := slices.DeleteFunc(strings.Fields(offer), func(payload string) bool { return len(payload) == 3 })
	return strings.Join(kept, " ")
}
