package bench

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"strconv"
	"time"
)

// job tells a client process what to do. It travels as command line options,
// which any language can read and a person can type.
type job struct {
	Door           string
	Address        netip.AddrPort
	Host           string
	Path           string
	Numbers        string
	Rows           int // of the file, counted by the parent
	Requests       int
	NewConnections bool
	Deadline       time.Duration // of one request, in whole milliseconds
	Seed           uint64
	Stream         uint64 // sets apart the processes that share a seed
}

// options is the job as a client process finds it on its command line.
func (j job) options() []string {
	server := url.URL{Scheme: "http", Host: j.Address.String()}
	list := []string{
		"--door", j.Door,
		"--url", server.String() + j.Path,
		"--host", j.Host,
		"--numbers", j.Numbers,
		"--rows", strconv.Itoa(j.Rows),
		"--requests", strconv.Itoa(j.Requests),
		"--timeout-ms", strconv.FormatInt(j.Deadline.Milliseconds(), 10),
		"--seed", strconv.FormatUint(j.Seed, 10),
		"--stream", strconv.FormatUint(j.Stream, 10),
		"--wait",
	}
	if j.NewConnections {
		list = append(list, "--new-connections")
	}
	return list
}

// parseJob reads what options wrote.
func parseJob(options []string) (job, error) {
	var read job
	set := flag.NewFlagSet("job", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&read.Door, "door", "", "")
	address := set.String("url", "", "")
	set.StringVar(&read.Host, "host", "", "")
	set.StringVar(&read.Numbers, "numbers", "", "")
	set.IntVar(&read.Rows, "rows", 0, "")
	set.IntVar(&read.Requests, "requests", 0, "")
	set.BoolVar(&read.NewConnections, "new-connections", false, "")
	deadline := set.Int64("timeout-ms", 0, "")
	set.Uint64Var(&read.Seed, "seed", 0, "")
	set.Uint64Var(&read.Stream, "stream", 0, "")
	wait := set.Bool("wait", false, "")
	err := set.Parse(options)
	if err == nil && (!*wait || set.NArg() > 0) {
		err = errors.New("it is not complete")
	}
	if err != nil {
		return job{}, fmt.Errorf("job: %w; client processes are started by bench, not by hand", err)
	}
	if parsed, err := url.Parse(*address); err == nil {
		read.Path = parsed.RequestURI()
		read.Address, _ = netip.ParseAddrPort(parsed.Host) // validate finds that there is none
	}
	read.Deadline = time.Duration(min(*deadline, longestLatency.Milliseconds()+1)) * time.Millisecond
	return read, read.validate()
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
