package bench

import (
	"context"
	"fmt"
	"time"
)

// round is what was measured with one number of client processes.
type round struct {
	reports   []report
	serverCPU time.Duration // zero when it is not known
}

// runRound starts the processes, measures them and ends them, whatever happens.
func runRound(ctx context.Context, plan Plan, work job, count int) (round, error) {
	alive, kill := context.WithCancel(ctx)
	defer kill()
	clients, err := startProcesses(alive, plan, work, count)
	var measured round
	if err == nil {
		measured, err = measureRound(clients, FindServer(work.Address))
	}
	if err != nil {
		kill()
	}
	if ended := endProcesses(clients, kill); ended != nil {
		if err == nil {
			return round{}, ended
		}
		err = fmt.Errorf("%w; %w", err, ended)
	}
	if err != nil && ctx.Err() != nil {
		// That the processes were killed in mid sentence is only a consequence.
		return round{}, context.Cause(ctx)
	}
	return measured, err
}

// startProcesses returns also on failure the processes that have started.
func startProcesses(ctx context.Context, plan Plan, work job, count int) ([]*process, error) {
	var clients []*process
	for i := range count {
		work.Stream = uint64(count)<<32 | uint64(i)
		client, err := startProcess(ctx, plan, work)
		if err != nil {
			return clients, err
		}
		clients = append(clients, client)
	}
	return clients, nil
}

// measureRound waits for all processes before it lets any of them start.
func measureRound(clients []*process, server ServerCPU) (round, error) {
	for _, client := range clients {
		if err := client.awaitReady(); err != nil {
			return round{}, fmt.Errorf("client process: %w", err)
		}
	}
	before, known := server.Used()
	for _, client := range clients {
		if err := client.begin(); err != nil {
			return round{}, fmt.Errorf("client process: %w", err)
		}
	}
	var measured round
	for _, client := range clients {
		found, err := client.awaitReport()
		if err != nil {
			return round{}, fmt.Errorf("client process: %w", err)
		}
		measured.reports = append(measured.reports, found)
	}
	if after, still := server.Used(); known && still {
		measured.serverCPU = after - before
	}
	return measured, nil
}

// endProcesses waits for all, kills those that do not end by themselves, and
// returns the first error.
func endProcesses(clients []*process, kill func()) error {
	late := time.AfterFunc(reapTime, kill)
	defer late.Stop()
	var first error
	for _, client := range clients {
		if err := client.end(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
