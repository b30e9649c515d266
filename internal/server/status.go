package server

import (
	"context"
	"fmt"
	"slices"
	"time"

	"asterism/internal/metrics"
	"asterism/internal/store"
)

// readiness tells whether the node should be asked, and what is degraded.
func (n *node) readiness() (ready bool, reasons []string) {
	switch {
	case n.draining.Load():
		return false, []string{"draining: this node is about to end"}
	case !n.ready.Load():
		return false, []string{"loading the directory"}
	}
	state, spooled := n.feed.State(), n.spool.State()
	if !state.Up {
		reasons = append(reasons, "degraded: the database can't be read; answers come from memory")
	}
	if n.asterisk.Down() && !spooled.Down {
		reasons = append(reasons, "degraded: the database did not take the last write of configuration (another program may hold it locked)")
	}
	if spooled.Down {
		reasons = append(reasons, fmt.Sprintf("degraded: the database can't be written; %d writes of Asterisk wait in the spool", spooled.Entries))
	}
	if spooled.Undurable > 0 {
		reasons = append(reasons, fmt.Sprintf("degraded: the disk is full; %d writes of Asterisk are in memory only", spooled.Undurable))
	}
	if spooled.Refused > 0 {
		reasons = append(reasons, fmt.Sprintf("degraded: the database refuses %d rows (asterism status lists them)", spooled.Refused))
	}
	if reasons == nil {
		reasons = []string{"ready"}
	}
	return true, reasons
}

// state is what the metrics show.
func (n *node) state(inFlight int64) metrics.State {
	view := n.directory.View()
	out := metrics.State{Rows: map[string]int{}, Scans: map[string]uint64{}, Inflight: int(inFlight), Watchers: int(n.directory.Waiting())}
	for _, table := range view.Tables() {
		if !table.Family().AppendOnly {
			out.Rows[table.Family().Name] = table.Count()
			out.Scans[table.Family().Name] = table.Stats().Scans.Load()
		}
	}
	follower, spooled := n.feed.State(), n.spool.State()
	out.DBUp = follower.Up && !spooled.Down && !n.asterisk.Down()
	out.Lag, out.Mended = follower.Lag, follower.Mended
	out.Spool, out.Undurable, out.Refused = spooled.Entries, spooled.Undurable, spooled.Refused
	out.Absent = n.absent.Top(time.Now().Unix(), absentInMetrics, absentInMetrics)
	return out
}

// How many absent keys are shown.
const (
	absentInMetrics = 10  // each is a time series while it is asked for
	absentPerClient = 10  // in status
	absentInStatus  = 100 // of all clients
)

// report is what status shows.
func (n *node) report(ctx context.Context) (Report, error) {
	nodes, err := n.store.Nodes(ctx)
	if err != nil {
		return Report{}, err
	}
	refused, err := n.journal.RefusedRows(ctx)
	if err != nil {
		return Report{}, err
	}
	view := n.directory.View()
	r := Report{Instance: n.directory.Instance(), Revision: view.Revision(), Rows: n.state(0).Rows}
	_, r.Reasons = n.readiness()
	spooled := n.spool.State()
	r.Spool, r.Undurable = spooled.Entries, spooled.Undurable
	for _, row := range refused {
		r.Refused = append(r.Refused, RefusedRow{Family: row.Family, Key: row.Key, Error: row.Error})
	}
	now := time.Now()
	isMe := func(known store.Node) bool { return known.Name == n.config.Node.Name }
	if !slices.ContainsFunc(nodes, isMe) { // its first heartbeat is still on the way
		nodes = append(nodes, store.Node{Name: n.config.Node.Name, Address: n.address, Version: n.options.Version, SeenAt: now.Unix()})
	}
	for _, known := range nodes {
		status := NodeStatus{Name: known.Name, Address: known.Address, Version: known.Version, Applied: known.Applied}
		status.AgeSeconds = now.Sub(time.Unix(known.SeenAt, 0)).Seconds()
		if isMe(known) {
			state := n.feed.State()
			status.Applied, status.LagSeconds, status.AgeSeconds = state.Applied, state.Lag.Seconds(), 0
			status.Watchers = n.directory.Waiting()
			status.Absent = n.absent.Top(now.Unix(), absentPerClient, absentInStatus)
		}
		status.Live = status.AgeSeconds < liveFor.Seconds()
		r.Nodes = append(r.Nodes, status)
	}
	return r, nil
}
