package bench

// Baseline is one line of the experiment that the product grew out of.
type Baseline struct {
	Processes         int
	RequestsPerSecond float64
	ServerCPUPercent  float64 // 100 is one whole CPU
}

// First2004 returns the figures of that experiment: a client made by gSOAP asked
// a SOAP service for the codecs of random numbers in a SQL database, on the
// hardware of 2004.
func First2004() []Baseline {
	return []Baseline{
		{Processes: 1, RequestsPerSecond: 277, ServerCPUPercent: 30},
		{Processes: 2, RequestsPerSecond: 384, ServerCPUPercent: 60},
		{Processes: 4, RequestsPerSecond: 476, ServerCPUPercent: 80},
	}
}

// baselineFor returns the line with as many client processes as a result has.
func baselineFor(processes int) (Baseline, bool) {
	for _, line := range First2004() {
		if line.Processes == processes {
			return line, true
		}
	}
	return Baseline{}, false
}

// serverMicrosPerRequest follows from the other two: CPU per second by requests
// per second.
func (b Baseline) serverMicrosPerRequest() float64 {
	return b.ServerCPUPercent / 100 * 1e6 / b.RequestsPerSecond
}
