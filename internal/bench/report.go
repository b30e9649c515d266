package bench

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// ready is a client process's word that it waits for the start.
type ready struct {
	Ready bool `json:"ready"`
}

// report is what a client process found.
type report struct {
	Client     string `json:"client"` // which client it is: "go" for this package's
	Requests   int    `json:"requests"`
	Errors     int    `json:"errors"`
	FirstError string `json:"first_error,omitempty"`
	// Started and Finished are nanoseconds of the machine's clock, which all
	// processes of a round share, so that the parent's own work between the
	// two is not measured.
	Started     int64     `json:"started_ns"`
	Finished    int64     `json:"finished_ns"`
	CPUSeconds  float64   `json:"cpu_seconds"` // user and system, between start and finish
	MaxRSSBytes int64     `json:"max_rss_bytes"`
	Latencies   latencies `json:"latencies_us"` // of answers only
}

// latencies are pairs: how many microseconds, to three digits, and how often.
// A client in any language can count and write them.
type latencies [][2]int64

// validate keeps a faulty report out of the figures.
func (r report) validate() error {
	if r.Requests < 1 || r.Errors < 0 || r.Errors > r.Requests {
		return fmt.Errorf("report: %d errors in %d requests", r.Errors, r.Requests)
	}
	answers := int64(0)
	for _, pair := range r.Latencies {
		if pair[0] < 0 || pair[0] > longestLatency.Microseconds() || pair[1] < 1 || pair[1] > maxRequests {
			return fmt.Errorf("report: latencies: %d times %d microseconds cannot be", pair[1], pair[0])
		}
		answers += pair[1]
	}
	if want := int64(r.Requests - r.Errors); answers != want {
		return fmt.Errorf("report: %d latencies of %d answers", answers, want)
	}
	return nil
}

// listLatencies returns what a histogram counted.
func listLatencies(counted *hdrhistogram.Histogram) latencies {
	var list latencies
	for _, bar := range counted.Distribution() {
		if bar.Count > 0 {
			list = append(list, [2]int64{bar.From, bar.Count})
		}
	}
	return list
}
