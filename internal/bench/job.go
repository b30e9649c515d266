package bench

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// job tells a client process what to do.
type job struct {
	Door           string         `json:"door"`
	Address        netip.AddrPort `json:"address"`
	Host           string         `json:"host"`
	Path           string         `json:"path"`
	Numbers        string         `json:"numbers"`
	Rows           int            `json:"rows"` // of the file, counted by the parent
	Requests       int            `json:"requests"`
	NewConnections bool           `json:"new_connections"`
	Deadline       time.Duration  `json:"deadline_ns"` // of one request
	Seed           uint64         `json:"seed"`
	Stream         uint64         `json:"stream"` // sets apart the processes that share a seed
}

// validate guards a client process against a parent of another version, or a
// person who starts the hidden command by hand.
func (j job) validate() error {
	switch {
	case !j.Address.IsValid():
		return fmt.Errorf("job: no address")
	case j.Rows < 1 || j.Requests < 1 || j.Requests > maxRequests:
		return fmt.Errorf("job: %d requests out of %d numbers cannot be asked", j.Requests, j.Rows)
	case j.Deadline <= 0 || j.Deadline > longestLatency:
		return fmt.Errorf("job: deadline %v is not between 0 and %v", j.Deadline, longestLatency)
	}
	return nil
}

// ready is a client process's word that it waits for the start.
type ready struct {
	Ready bool `json:"ready"`
}

// start is the parent's word to begin.
type start struct {
	Start bool `json:"start"`
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
	Started     int64                  `json:"started_ns"`
	Finished    int64                  `json:"finished_ns"`
	Latencies   *hdrhistogram.Snapshot `json:"latencies"`   // microseconds, of answers only
	CPUSeconds  float64                `json:"cpu_seconds"` // user and system, between start and finish
	MaxRSSBytes int64                  `json:"max_rss_bytes"`
}

// validate keeps a faulty report out of the figures.
func (r report) validate() error {
	if r.Requests < 1 || r.Errors < 0 || r.Errors > r.Requests {
		return fmt.Errorf("report: %d errors in %d requests", r.Errors, r.Requests)
	}
	if err := r.Latencies.Validate(); err != nil {
		return fmt.Errorf("report: latencies: %w", err)
	}
	return nil
}
