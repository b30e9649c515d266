package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"asterism/internal/bench"
)

// first2004 repeats the first experiment with clients made with gSOAP, as it was:
// a connection for each call; and with connections that are kept.
func (l *lab) first2004(ctx context.Context) (string, error) {
	n, err := l.node(ctx, l.plan.sizes[0])
	if err != nil {
		return "", err
	}
	var all []bench.Result
	for _, connection := range [][]string{{"--new-connections"}, nil} {
		arguments := append([]string{
			"bench", "soap", "--client", "gsoap", "--json", "--numbers", n.file,
			"--url", "http://" + n.address + "/soap", "--requests", strconv.Itoa(l.plan.requests),
		}, connection...)
		output, err := n.run(ctx, arguments...)
		if err != nil {
			return "", err
		}
		var results []bench.Result
		if err := json.Unmarshal(output, &results); err != nil {
			return "", fmt.Errorf("read what asterism bench printed: %w", err)
		}
		for _, r := range results {
			l.say("gSOAP client, %s, %d processes: %.0f/s, %.1f µs of the server, %d errors", r.Connection, r.Processes, r.RequestsPerSecond, r.ServerCPUMicrosPerRequest, r.Errors)
		}
		all = append(all, results...)
	}
	return table2004(all), nil
}
