package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// Client is what a client process runs: it takes its job from options, says that
// it is ready, waits for a line from in, asks, and writes its report to out.
// Requests that go wrong are part of the report; an error means that there is
// none.
func Client(options []string, in io.Reader, out io.Writer) error {
	work, err := parseJob(options)
	if err != nil {
		return err
	}
	asking, err := newLoop(work)
	if err != nil {
		return err
	}
	answers := json.NewEncoder(out)
	if err := answers.Encode(ready{Ready: true}); err != nil {
		return fmt.Errorf("tell that the client is ready: %w", err)
	}
	if _, err := bufio.NewReader(in).ReadSlice('\n'); err != nil {
		return fmt.Errorf("wait for the start: %w", err)
	}
	found, err := measure(asking)
	if err != nil {
		return err
	}
	if err := answers.Encode(found); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// newLoop does all that can be done before the start.
func newLoop(work job) (*loop, error) {
	speaks, err := newDoor(work.Door)
	if err != nil {
		return nil, err
	}
	chance := rand.New(rand.NewPCG(work.Seed, work.Stream))
	drawn, err := drawNumbers(work.Numbers, work.Rows, work.Requests, chance)
	if err != nil {
		return nil, err
	}
	return &loop{
		door:       speaks,
		connection: newConnection(work.Address, work.NewConnections),
		deadline:   work.Deadline,
		draw:       drawn,
		head:       requestHead(work, speaks),
		latencies:  newLatencies(),
	}, nil
}

// requestHead is the part of every request up to the value of Content-Length.
func requestHead(work job, speaks door) string {
	head := "POST " + work.Path + " HTTP/1.1\r\nHost: " + work.Host + "\r\n" + speaks.headers()
	if work.NewConnections {
		head += "Connection: close\r\n"
	}
	return head + "Content-Length: "
}

// measure runs the loop with the clocks around it.
func measure(asking *loop) (report, error) {
	before, err := ownCPU()
	if err != nil {
		return report{}, err
	}
	started := time.Now()
	asking.run()
	finished := time.Now()
	after, err := ownCPU()
	if err != nil {
		return report{}, err
	}
	rss, err := ownMaxRSS()
	if err != nil {
		return report{}, err
	}
	return report{
		Client:      "go",
		Requests:    len(asking.draw.order),
		Errors:      asking.errors,
		FirstError:  asking.firstError,
		Started:     started.UnixNano(),
		Finished:    finished.UnixNano(),
		CPUSeconds:  (after - before).Seconds(),
		MaxRSSBytes: rss,
		Latencies:   listLatencies(asking.latencies),
	}, nil
}
