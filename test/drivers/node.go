package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"asterism/test/lab"
)

// asterism is a node of Asterism, asked by stock res_config_curl or the native module.
type asterism struct {
	engine          lab.Engine
	endpoints, aors string // their listing; "": the default
	sorcery         string // "": without a cache
	node            *lab.Node
}

func (a *asterism) Prepare(s *scope, p population) {
	var extra []string
	if a.endpoints != "" {
		extra = append(extra, fmt.Sprintf("[families]\nlisting.ps_endpoints = %q\nlisting.ps_aors = %q", a.endpoints, a.aors))
	}
	home := lab.NewHome(s, extra...)
	p.phones.Load(s, home)
	home.Load(s, "numbers", p.numberRows())
	if p.live > 0 {
		home.Load(s, "ps_contacts", p.contactRows())
	}
	// What loading left in the change log would be pruned piece by piece while we measure.
	home.SQL(s, "DELETE FROM asterism_changes;")
	a.node = home.Serve(s)
}

// Complaints are the lines of the node's log that an operator should act on.
func (a *asterism) Complaints(*scope) []string {
	var complaints []string
	for line := range strings.Lines(a.node.Log.String()) {
		if strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			complaints = append(complaints, strings.TrimSpace(line))
		}
	}
	return complaints
}

func (a *asterism) Settings() lab.Settings {
	files := map[string]string{"sorcery.conf": sorcery(a.sorcery)}
	if a.engine == lab.Native {
		files["asterism.conf"] = "[general]\nserver = " + lab.SOAP(a.node.Asterisk) + "\nanswer_timeout = 10000\n"
		if a.sorcery != "" {
			files["asterism.conf"] += "[memory_cache]\nps_endpoints = res_pjsip/endpoint\nps_auths = res_pjsip/auth\nps_aors = res_pjsip/aor\nps_endpoint_id_ips = res_pjsip/identify\n"
		}
	}
	return lab.Settings{Node: a.node.Asterisk, Families: append([]string{"numbers"}, lab.PJSIP...), Files: files}
}

func (a *asterism) Lookup() string {
	if a.engine == lab.Native {
		return "${ASTERISM_CODECS(${EXTEN})}"
	}
	return lookup
}

func (a *asterism) Engine() lab.Engine { return a.engine }

func (a *asterism) Requests(s *scope) int {
	response, err := http.Get("http://" + a.node.People + "/metrics")
	if err != nil {
		s.Fatalf("ask the node for its metrics: %v", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Fatalf("read the node's metrics: %v", err)
	}
	sum := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "asterism_lookups_total{") {
			continue
		}
		count, err := strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), 64)
		if err != nil {
			s.Fatalf("a metric that is no number: %s", line)
		}
		sum += int(count)
	}
	return sum
}

func (a *asterism) CPU(s *scope) time.Duration { return lab.CPU(s, a.node.Process.Pid) }
