package main

import "time"

// plan says how much is measured.
type plan struct {
	command     string // as a person types it
	warm        time.Duration
	measured    time.Duration
	rounds      int
	connections int
	peerNumbers int   // of the node that stands beside the peers
	sizes       []int // ascending; the first is what the others are compared with
	requests    int   // of each client made with gSOAP
	benchTime   string
}

// full is what docs/bench.md shows.
func full() plan {
	return plan{
		command: "make bench",
		warm:    2 * time.Second, measured: 8 * time.Second, rounds: 3, connections: 16,
		peerNumbers: 1_000_000, sizes: []int{20_000, 1_000_000, 10_000_000},
		requests: 5000, benchTime: "1s",
	}
}

// short shows that everything works.
func short() plan {
	return plan{
		command: "make bench BENCH=quick",
		warm:    200 * time.Millisecond, measured: time.Second, rounds: 1, connections: 16,
		peerNumbers: 20_000, sizes: []int{2_000, 20_000, 50_000},
		requests: 200, benchTime: "10x",
	}
}
