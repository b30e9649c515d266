package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"asterism/internal/config"
	"asterism/internal/control"
	"asterism/internal/failure"
	"asterism/internal/server"
)

// liveFor is how long since its last sign a node counts as live.
const liveFor = time.Minute

func newStatusCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the nodes, and how the one on this machine is",
		Args:  arguments(0, 0),
	}
	from := addConfig(cmd)
	asJSON := addJSON(cmd, "an array of nodes")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cfg, err := from.load()
		if err != nil {
			return err
		}
		return d.status(cmd.Context(), from, cfg, *asJSON)
	}
	return cmd
}

// status asks the node that serves here, else the store.
func (d deps) status(ctx context.Context, from *configured, cfg config.Config, asJSON bool) error {
	node, err := server.Dial(cfg.Node.State)
	if failure.KindOf(err) == failure.Absent {
		d.complain("no node serves on this machine; the store knows of these", "asterism serve starts one")
		nodes, err := d.knownNodes(ctx, from)
		if err != nil {
			return err
		}
		return d.printNodes(nodes, asJSON)
	}
	if err != nil {
		return err
	}
	report, err := node.Status(ctx)
	if err != nil {
		return err
	}
	if err := d.printNodes(report.Nodes, asJSON); err != nil || asJSON {
		return err
	}
	if err := d.printReport(report); err != nil {
		return err
	}
	return d.printAbsent(report.Nodes)
}

// absentShown is how many absent keys a person is shown; --json has more.
const absentShown = 10

// printAbsent shows what clients ask for most and isn't there.
func (d deps) printAbsent(nodes []server.NodeStatus) error {
	for _, n := range nodes {
		if len(n.Absent) == 0 {
			continue
		}
		rows := newTable("client", "family", "question", "count")
		for _, key := range n.Absent[:min(len(n.Absent), absentShown)] {
			rows.AppendRow([]any{key.Client, key.Family, printable(key.Key), key.Count})
		}
		if _, err := fmt.Fprintf(d.out, "asked for and absent, last minute:\n%s\n", rows.Render()); err != nil {
			return err
		}
	}
	return nil
}

// knownNodes gives the nodes that the store knows of.
func (d deps) knownNodes(ctx context.Context, from *configured) (nodes []server.NodeStatus, err error) {
	err = from.people(ctx, func(p *control.People) error {
		known, err := p.Store.Nodes(ctx)
		for _, n := range known {
			age := d.now().Sub(time.Unix(n.SeenAt, 0))
			nodes = append(nodes, server.NodeStatus{
				Name: n.Name, Address: n.Address, Version: n.Version, Applied: n.Applied, AgeSeconds: age.Seconds(), Live: age < liveFor,
			})
		}
		return err
	})
	return nodes, err
}

func (d deps) printNodes(nodes []server.NodeStatus, asJSON bool) error {
	if asJSON {
		if nodes == nil {
			nodes = []server.NodeStatus{}
		}
		return d.printJSON(nodes)
	}
	if len(nodes) == 0 {
		_, err := fmt.Fprintln(d.out, "no nodes")
		return err
	}
	rows := newTable("name", "address", "version", "applied", "lag s", "age s", "live")
	for _, n := range nodes {
		rows.AppendRow([]any{n.Name, n.Address, n.Version, n.Applied, fmt.Sprintf("%.3f", n.LagSeconds), fmt.Sprintf("%.0f", n.AgeSeconds), n.Live})
	}
	_, err := fmt.Fprintln(d.out, rows.Render())
	return err
}

// printReport shows what only the node itself knows.
func (d deps) printReport(r server.Report) error {
	rows := 0
	for _, n := range r.Rows {
		rows += n
	}
	fmt.Fprintf(d.out, "this node: instance %s, revision %d, %d rows in memory, %d writes on their way to SQL\n", r.Instance, r.Revision, rows, r.Spool)
	if r.Undurable > 0 {
		fmt.Fprintf(d.out, "%d writes are in memory only: the disk of the spool is full\n", r.Undurable)
	}
	for _, reason := range r.Reasons {
		fmt.Fprintln(d.out, reason)
	}
	for _, refused := range r.Refused {
		fmt.Fprintf(d.out, "SQL refuses %s %s: %s\n", refused.Family, strings.Join(refused.Key, ","), refused.Error)
	}
	return nil
}
