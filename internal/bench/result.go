package bench

import "time"

// Result is what one round found. An answer is a right answer; rates, times per
// request and latencies are of answers, so errors never make a server look fast.
type Result struct {
	Client            string  `json:"client"` // the client program: "go" for Client, "gsoap"
	Door              string  `json:"door"`
	Connection        string  `json:"connection"` // "keep-alive" or "new"
	Processes         int     `json:"processes"`
	Requests          int     `json:"requests"` // of all processes, answers and errors
	Errors            int     `json:"errors"`
	Seconds           float64 `json:"seconds"`             // from the first start to the last finish
	SecondsPerRequest float64 `json:"seconds_per_request"` // Seconds by answers: the inverse of the rate, not what one client waits
	RequestsPerSecond float64 `json:"requests_per_second"`
	P50Ms             float64 `json:"p50_ms"` // what one client waits, with connecting where that is part of it
	P99Ms             float64 `json:"p99_ms"`
	MaxMs             float64 `json:"max_ms"`
	// The server's CPU is user and system time; both are 0 when it is not
	// known. 100 percent is one whole CPU.
	ServerCPUMicrosPerRequest float64 `json:"server_cpu_us_per_request"`
	ServerCPUPercent          float64 `json:"server_cpu_percent"`
	ClientCPUPercent          float64 `json:"client_cpu_percent"` // of all client processes together
	ClientRSSBytes            int64   `json:"client_rss_bytes"`   // of the largest client process

	// FirstError is the text of one of the errors. It is for people only.
	FirstError string `json:"-"`
}

// result merges the reports of a round's processes.
func (r round) result(plan Plan) Result {
	merged := Result{
		Door:       plan.Door,
		Connection: plan.connection(),
		Processes:  len(r.reports),
	}
	clientCPU := 0.0
	for _, found := range r.reports {
		merged.Client = found.Client
		merged.Requests += found.Requests
		merged.Errors += found.Errors
		merged.ClientRSSBytes = max(merged.ClientRSSBytes, found.MaxRSSBytes)
		clientCPU += found.CPUSeconds
		if merged.FirstError == "" {
			merged.FirstError = found.FirstError
		}
	}
	merged.Seconds = r.elapsed().Seconds()
	if merged.Seconds > 0 {
		merged.ServerCPUPercent = 100 * r.serverCPU.Seconds() / merged.Seconds
		merged.ClientCPUPercent = 100 * clientCPU / merged.Seconds
	}
	if answers := float64(merged.Requests - merged.Errors); answers > 0 && merged.Seconds > 0 {
		merged.SecondsPerRequest = merged.Seconds / answers
		merged.RequestsPerSecond = answers / merged.Seconds
		merged.ServerCPUMicrosPerRequest = r.serverCPU.Seconds() * 1e6 / answers
	}
	r.mergeLatencies(&merged)
	return merged
}

// elapsed is from the first start to the last finish.
func (r round) elapsed() time.Duration {
	var started, finished int64
	for i, found := range r.reports {
		if i == 0 || found.Started < started {
			started = found.Started
		}
		finished = max(finished, found.Finished)
	}
	return time.Duration(finished - started)
}

func (r round) mergeLatencies(merged *Result) {
	all := newLatencies()
	for _, found := range r.reports {
		for _, pair := range found.Latencies {
			countLatency(all, pair[0], pair[1])
		}
	}
	if all.TotalCount() == 0 {
		return
	}
	merged.P50Ms = float64(all.ValueAtQuantile(50)) / 1e3
	merged.P99Ms = float64(all.ValueAtQuantile(99)) / 1e3
	merged.MaxMs = float64(all.Max()) / 1e3
}
