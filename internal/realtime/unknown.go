package realtime

import "asterism/internal/failure"

// noteUnknown logs, once for each, a family or verb that nobody knows: mostly a
// misspelled line of extconfig.conf, which Asterisk itself never complains of.
func (x *exchange) noteUnknown() {
	name := string(x.family[:min(len(x.family), maxNoted)])
	if !x.door.once.First("family " + name) {
		return
	}
	best, least := "", 4
	for _, table := range x.door.Directory.View().Tables() {
		if slips := failure.Distance(name, table.Family().Name); slips < least {
			best, least = table.Family().Name, slips
		}
	}
	hint := "look at the URLs in extconfig.conf: http://HOST:PORT/rt/FAMILY"
	if best != "" && best != name {
		hint = "did you mean " + best + "? " + hint
	}
	x.door.Log.Warn("a question about a family or with a verb that nobody knows: answered with nothing", "family", name, "client", x.client(), "hint", hint)
}

// maxNoted bounds what is logged of a name from outside.
const maxNoted = 80
