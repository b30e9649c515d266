package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"asterism/internal/absent"
	"asterism/internal/config"
	"asterism/internal/control"
	"asterism/internal/directory"
	"asterism/internal/feed"
	"asterism/internal/meter"
	"asterism/internal/realtime"
	"asterism/internal/soap"
	"asterism/internal/spool"
	"asterism/internal/store"
	"asterism/internal/trace"
)

// spoolName is the spool's file in the state folder.
const spoolName = "spool.db"

// node is everything behind the doors.
type node struct {
	config    config.Config
	options   Options
	log       *slog.Logger
	store     *store.Store
	directory *directory.Directory
	feed      *feed.Feed
	journal   *store.Journal
	spool     *spool.Spool
	asterisk  *control.Asterisk
	admission *admission
	meters    meters
	trace     *trace.Tracers
	absent    *absent.Keys
	address   string      // where Asterisk asks
	ready     atomic.Bool // loaded
	draining  atomic.Bool
}

// meters are all the counters of a node.
type meters struct {
	lookups, unknownColumns, truncated, rejected *meter.Vector
}

func newMeters() meters {
	return meters{
		lookups:        meter.NewVector("asterism_lookups_total", "Questions and writes of clients.", "door", "family", "outcome"),
		unknownColumns: meter.NewVector("asterism_unknown_columns_total", "Columns that Asterisk wrote and the table lacks.", "family"),
		truncated:      meter.NewVector("asterism_truncated_values_total", "Values that stock Asterisk probably cut.", "family", "column"),
		rejected:       meter.NewVector("asterism_rejected_total", "Requests on the Asterisk-facing door that could not be answered.", "reason"),
	}
}

// load opens the store and reads everything into a directory. What could keep
// the doors shut is looked at before that takes its time.
func load(ctx context.Context, cfg config.Config, o Options) (*node, error) {
	admission, err := openAdmission(cfg, o.Log)
	if err != nil {
		return nil, err
	}
	s, err := openStore(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := s.EnsureTriggers(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	n := &node{config: cfg, options: o, log: o.Log, store: s, meters: newMeters(), admission: admission}
	n.directory = directory.New(s.Families(), cfg.Families.Listing)
	n.trace, n.absent = trace.New(n.directory), absent.New()
	n.feed = feed.New(s, n.directory, o.Log)
	start := time.Now()
	if err := n.feed.Load(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("load the directory: %w", err), s.Close())
	}
	rows := 0
	for _, table := range n.directory.View().Tables() {
		rows += table.Count()
	}
	n.log.Info("directory loaded", "rows", rows, "seconds", time.Since(start).Seconds(), "store", cfg.Store.String())
	return n, nil
}

// openSpool takes the spool file and lays over the directory what it holds.
func (n *node) openSpool(ctx context.Context) error {
	journal, err := store.OpenJournal(ctx, filepath.Join(n.config.Node.State, spoolName))
	if err != nil {
		return err
	}
	n.journal = journal
	n.spool = spool.New(spool.Options{Journal: journal, Store: n.store, Directory: n.directory, Reader: n.feed, Log: n.log, Now: time.Now})
	if err := n.spool.Recover(ctx); err != nil {
		return errors.Join(err, journal.Close())
	}
	n.asterisk = &control.Asterisk{
		Directory: n.directory, SQL: n.store, Feed: n.feed, Spool: n.spool, Log: n.log,
		Strict: n.config.Asterisk.Require == config.RequireStrict, UnknownColumns: n.meters.unknownColumns,
	}
	return nil
}

// doors makes the Asterisk-facing doors.
func (n *node) doors() (*realtime.Door, *soap.Door) {
	var names []string
	for _, table := range n.directory.View().Tables() {
		names = append(names, table.Family().Name)
	}
	curl := &realtime.Door{
		Directory: n.directory, Writes: n.asterisk, Lookups: meter.NewLookups(n.meters.lookups, "curl", names),
		Truncated: n.meters.truncated, Rejected: n.meters.rejected, Log: n.log, Now: time.Now,
		Trace: n.trace, Absent: n.absent,
	}
	soapDoor := &soap.Door{
		Directory: n.directory, Writes: n.asterisk, Lookups: meter.NewLookups(n.meters.lookups, "soap", names),
		Log: n.log, Now: time.Now, PublicURL: n.config.Asterisk.PublicURL, Trace: n.trace, Absent: n.absent,
	}
	return curl, soapDoor
}

// moreThanProcessors lets Go run more at a time than there are processors. What
// computes for long (SQLite, the garbage collector) then shares them by the
// kernel's rules, which lets whoever has slept go first, as a question that has
// just come; Go itself may make it wait for 10 ms.
func moreThanProcessors() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) + 2) // which knows of a container's share
	}
}

// run follows the store and flushes the spool until the context ends.
func (n *node) run(ctx context.Context) {
	var tasks sync.WaitGroup
	tasks.Go(func() { n.feed.Run(ctx) })
	tasks.Go(func() { n.spool.Run(ctx) })
	tasks.Go(func() { n.heartbeat(ctx) })
	tasks.Wait()
}

// close ends what load and openSpool began.
func (n *node) close() error {
	var failed []error
	if n.journal != nil {
		failed = append(failed, n.journal.Close())
	}
	return errors.Join(append(failed, n.store.Close())...)
}

// Rhythm of what a node tells the store of itself.
const (
	heartbeatEvery = 5 * time.Second
	liveFor        = time.Minute // since its heartbeat a node counts as live
	pruneEvery     = 50 * time.Millisecond
	upkeepTimeout  = time.Second // what waits longer for SQL's write lock would keep others from it
)

// heartbeat notes in the store that the node lives and prunes the change log of
// what every live node has published.
func (n *node) heartbeat(ctx context.Context) {
	beat := time.NewTicker(heartbeatEvery)
	defer beat.Stop()
	for {
		err := n.beat(ctx)
		if err == nil {
			err = n.prune(ctx, time.Now().Add(-liveFor).Unix())
		}
		if err != nil && ctx.Err() == nil {
			n.log.Debug("the store can't be told of this node", "error", err)
		}
		select {
		case <-beat.C:
		case <-ctx.Done():
			return
		}
	}
}

// beat notes once that the node lives.
func (n *node) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, upkeepTimeout)
	defer cancel()
	return n.store.Heartbeat(ctx, store.Node{
		Name: n.config.Node.Name, Address: n.address, Version: n.options.Version, Applied: n.feed.State().Applied, SeenAt: time.Now().Unix(),
	})
}

func (n *node) pruneOnce(ctx context.Context, liveSince int64) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, upkeepTimeout)
	defer cancel()
	return n.store.Prune(ctx, liveSince)
}

func (n *node) prune(ctx context.Context, liveSince int64) error {
	pause := time.NewTicker(pruneEvery)
	defer pause.Stop()
	for {
		pruned, err := n.pruneOnce(ctx, liveSince)
		if err != nil || pruned == 0 {
			return err
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return nil
		}
	}
}
