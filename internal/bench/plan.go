package bench

import (
	"errors"
	"fmt"
	"time"
)

// Limits of a plan, and of the time that one request may take.
const (
	maxProcesses    = 256
	maxRequests     = 10_000_000
	requestDeadline = 10 * time.Second
)

// Plan says what to measure.
type Plan struct {
	// Door is the protocol: "soap" or "curl".
	Door string
	// URL is the whole address of a SOAP endpoint, or for the curl door the
	// base URL of a family, as in extconfig.conf; "/single" is appended.
	URL string
	// Numbers is the path of a CSV file whose header names the column number.
	// With a column codecs too, every answer is compared with it. Further
	// columns are ignored.
	Numbers string
	// Processes has one entry per round: how many client processes ask at once.
	Processes []int
	// Requests is how many requests each client process sends in a round.
	Requests int
	// NewConnections asks for a new TCP connection per request.
	NewConnections bool
	// Seed starts the random choice of numbers. Plans that are alike in seed,
	// numbers and processes ask for the same numbers in the same order.
	Seed uint64
	// Executable and Arguments start one client process, which must do what
	// Client does with the options that follow Arguments. The process inherits
	// the environment.
	Executable string
	Arguments  []string
}

// validate reports every fault of the plan at once.
func (p Plan) validate() error {
	var faults []error
	fault := func(format string, values ...any) {
		faults = append(faults, fmt.Errorf(format, values...))
	}
	if speaks, err := newDoor(p.Door); err != nil {
		faults = append(faults, err)
	} else if _, err := parseURL(p.URL, speaks.suffix()); err != nil {
		faults = append(faults, err)
	}
	if p.Numbers == "" {
		fault("numbers: no file given; name a CSV file whose first line is number,codecs")
	}
	if len(p.Processes) == 0 {
		fault("processes: none given; for example 1,2,4")
	}
	for _, count := range p.Processes {
		if count < 1 || count > maxProcesses {
			fault("processes: %d is not between 1 and %d", count, maxProcesses)
		}
	}
	if p.Requests < 1 || p.Requests > maxRequests {
		fault("requests: %d is not between 1 and %d", p.Requests, maxRequests)
	}
	if p.Executable == "" {
		fault("executable: none given; name the program that runs one client process")
	}
	return errors.Join(faults...)
}

// connection is the word that results use for how the plan connects.
func (p Plan) connection() string {
	if p.NewConnections {
		return "new"
	}
	return "keep-alive"
}
