package doctor

import (
	"fmt"
	"strconv"

	"asterism/internal/asteriskconf"
)

// curlSettings gives the settings of res_curl.conf that res_config_curl reads.
func (s *setup) curlSettings() []asteriskconf.Variable {
	var out []asteriskconf.Variable
	if s.curl == nil {
		return nil
	}
	for _, section := range s.curl.Named("globals", "global", "general") {
		out = append(out, section.Variables...)
	}
	return out
}

// timeouts tells of waits that are too long or too short. Both settings are in
// seconds.
func timeouts(s *setup) []Finding {
	const (
		least = 2
		most  = 60
	)
	if len(s.onCurl()) == 0 {
		return nil
	}
	var out []Finding
	total := false
	for _, v := range s.curlSettings() {
		if v.Name != "httptimeout" && v.Name != "conntimeout" {
			continue
		}
		total = total || v.Name == "httptimeout"
		seconds, err := strconv.ParseFloat(v.Value, 64)
		remedy := "httptimeout = 10"
		if v.Name == "conntimeout" {
			remedy = "conntimeout = 2"
		}
		switch {
		case err != nil:
			out = append(out, fault(v.Position, remedy, "%s = %s is no number", v.Name, v.Value))
		case seconds > most:
			out = append(out, fault(v.Position, remedy, "%s = %s is in seconds, not milliseconds: a thread of Asterisk would wait that long", v.Name, v.Value))
		case seconds < least && v.Name == "httptimeout":
			out = append(out, fault(v.Position, remedy, "%s = %s is in seconds: an answer that takes longer counts as \"no such row\", so queues and phones vanish when the server is slow for a moment", v.Name, v.Value))
		case seconds <= 0:
			out = append(out, fault(v.Position, remedy, "%s = %s: libcurl then waits as long as it pleases", v.Name, v.Value))
		}
	}
	if !total {
		out = append(out, Finding{File: "res_curl.conf", Problem: "httptimeout is not set: a thread of Asterisk waits 180 s for a server that hangs", Remedy: "in res_curl.conf, [globals]: httptimeout = 10"})
	}
	return out
}

// curlOptions tells of settings that break answers or pile up.
func curlOptions(s *setup) []Finding {
	if len(s.onCurl()) == 0 {
		return nil
	}
	why := map[string]string{
		"hashcompat":   "answers are rewritten for HASH() before realtime reads them",
		"header":       "the headers of the answer are read as data",
		"failurecodes": "an answer with such a status becomes empty, and for writes Asterisk then reads past the empty text; only the first code of the list works",
		"httpheader":   "the header is sent once more after each reload of res_config_curl.so",
	}
	var out []Finding
	for _, v := range s.curlSettings() {
		if (v.Name == "header" || v.Name == "hashcompat") && !truth(v.Value) && v.Value != "legacy" {
			continue
		}
		if reason, ok := why[v.Name]; ok {
			remedy := "take the line out"
			if v.Name == "httpheader" {
				remedy = "take the line out; to tell nodes apart use userpwd or a client certificate"
			}
			out = append(out, fault(v.Position, remedy, "%s is set for all of realtime: %s", v.Name, reason))
		}
	}
	return out
}

// missingSystemname tells of nodes that can't be told apart.
func missingSystemname(s *setup) []Finding {
	if len(s.mappings) == 0 {
		return nil
	}
	if s.options != nil {
		for _, section := range s.options.Named("options") {
			if v, ok := section.Last("systemname"); ok && v.Value != "" {
				return nil
			}
		}
	}
	return []Finding{{
		File: "asterisk.conf", Problem: "no systemname: a restart of one node deletes the TCP, TLS and WebSocket contacts of all nodes that share the contacts",
		Remedy: "in asterisk.conf, [options]: systemname = NAME, another one on each node",
	}}
}

// missingModules tells of modules that realtime needs and modules.conf keeps out.
func missingModules(s *setup) []Finding {
	if s.modules == nil {
		return nil
	}
	l := newLoading(s.modules)
	var out []Finding
	for _, need := range s.needs() {
		if at, ok := l.out[need.module]; ok {
			out = append(out, fault(at, "take the line out", "%s.so is kept out, and %s", need.module, need.why))
			continue
		}
		if !l.auto && !l.named[need.module] {
			out = append(out, Finding{
				File: s.modules.Name, Problem: fmt.Sprintf("%s.so is not loaded, and %s", need.module, need.why),
				Remedy: fmt.Sprintf("in modules.conf, [modules]: load = %s.so", need.module),
			})
		}
	}
	return out
}

// need is a module that something in the folder wants.
type need struct{ module, why string }

func (s *setup) needs() []need {
	var out []need
	if len(s.onCurl()) > 0 {
		const why = "realtime over curl needs it"
		out = append(out, need{"res_curl", why}, need{"func_curl", why}, need{"res_config_curl", why})
	}
	if len(s.onModule()) > 0 {
		out = append(out, need{"res_config_asterism", "realtime over asterism needs it"})
	} else if s.usesModule() {
		out = append(out, need{"res_config_asterism", "the dialplan calls ASTERISM_CODECS"})
	}
	if len(s.realtime()) > 0 {
		out = append(out, need{"res_sorcery_realtime", "sorcery.conf keeps objects in realtime"})
	}
	for _, w := range s.wizards {
		if w.cache && w.driver == "memory_cache" {
			out = append(out, need{"res_sorcery_memory_cache", "sorcery.conf caches objects"})
			break
		}
	}
	return out
}
