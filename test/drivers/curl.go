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

// curl is a node of Asterism asked by stock res_config_curl.
type curl struct {
	endpoints, aors string // their listing; "": the default
	sorcery         string // "": without a cache
	node            *lab.Node
}

func (c *curl) Prepare(s *scope, p population) {
	var extra []string
	if c.endpoints != "" {
		extra = append(extra, fmt.Sprintf("[families]\nlisting.ps_endpoints = %q\nlisting.ps_aors = %q", c.endpoints, c.aors))
	}
	home := lab.NewHome(s, extra...)
	p.phones.Load(s, home)
	home.Load(s, "numbers", p.numberRows())
	if p.live > 0 {
		home.Load(s, "ps_contacts", p.contactRows())
	}
	// What loading left in the change log would be pruned piece by piece while we measure.
	home.SQL(s, "DELETE FROM asterism_changes;")
	c.node = home.Serve(s)
}

// Complaints are the lines of the node's log that an operator should act on.
func (c *curl) Complaints(*scope) []string {
	var complaints []string
	for line := range strings.Lines(c.node.Log.String()) {
		if strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			complaints = append(complaints, strings.TrimSpace(line))
		}
	}
	return complaints
}

func (c *curl) Settings() lab.Settings {
	sorcery := c.sorcery
	if sorcery == "" {
		sorcery = lab.Sorcery
	}
	return lab.Settings{
		Node: c.node.Asterisk, Families: append([]string{"numbers"}, lab.PJSIP...), Files: map[string]string{"sorcery.conf": sorcery},
	}
}

func (c *curl) Lookup() string { return "${REALTIME_FIELD(numbers,number,${EXTEN},codecs)}" }

func (c *curl) Requests(s *scope) int {
	response, err := http.Get("http://" + c.node.People + "/metrics")
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

func (c *curl) CPU(s *scope) time.Duration { return lab.CPU(s, c.node.Process.Pid) }
