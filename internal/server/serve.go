package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"reflect"
	"sync"

	"github.com/coreos/go-systemd/v22/daemon"

	"asterism/internal/config"
)

// Options are what a node needs beside its config.
type Options struct {
	Log     *slog.Logger
	Version string
	Replace bool                          // take over from the node that serves this state folder now
	Reload  func() (config.Config, error) // reads the config again; nil: reload keeps it
	Ready   func(Addresses)               // called once the doors answer
}

// Addresses are where the doors really listen.
type Addresses struct {
	Asterisk string
	People   string
}

// Serve runs a node until the context ends (then it drains) or another node
// takes over. Without a database at the default place it does what init does.
func Serve(ctx context.Context, cfg config.Config, o Options) error {
	if err := servable(cfg); err != nil {
		return err
	}
	moreThanProcessors()
	if o.Replace {
		return replace(ctx, cfg, o)
	}
	lock, err := lockState(ctx, cfg.Node.State, 0)
	if err != nil {
		return err
	}
	defer lock.Close()
	l, err := takeListeners(cfg)
	if err != nil {
		return err
	}
	n, err := load(ctx, cfg, o)
	if err != nil {
		return errors.Join(err, l.close())
	}
	return n.serve(ctx, l)
}

// replace takes over from the serving node: it loads while that one serves on.
func replace(ctx context.Context, cfg config.Config, o Options) error {
	l, old, err := takeOver(cfg.Node.State)
	if err != nil {
		return err
	}
	n, err := load(ctx, cfg, o)
	if err != nil {
		return errors.Join(err, old.Close(), l.close())
	}
	if err := awaitEnd(old); err != nil {
		return errors.Join(err, l.close(), n.close())
	}
	lock, err := lockState(ctx, cfg.Node.State, handoverTimeout)
	if err != nil {
		return errors.Join(err, l.close(), n.close())
	}
	defer lock.Close()
	return n.serve(ctx, l)
}

// serve answers on the listeners until the end, and closes everything.
func (n *node) serve(ctx context.Context, l listeners) (err error) {
	defer func() { err = errors.Join(err, n.close()) }()
	if err := n.openSpool(ctx); err != nil {
		return errors.Join(err, l.close())
	}
	n.address = l.asterisk.Addr().String()
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	socket, socketListener, err := n.controlServer(background)
	if err != nil {
		return errors.Join(err, l.close())
	}
	takers, err := openOffer(n.config.Node.State)
	if err != nil {
		return errors.Join(err, l.close(), socketListener.Close())
	}
	curl, soapDoor := n.doors()
	asterisk := newAsteriskListener(curl, soapDoor, n.config.Asterisk.Allow, n.log)
	asterisk.admission = n.admission
	people := n.peopleServer(asterisk)

	var tasks, workers sync.WaitGroup
	failed := make(chan error, 3)
	tasks.Go(func() { failed <- asterisk.serve(l.asterisk) })
	tasks.Go(func() { failed <- ended(people.Serve(l.people)) })
	tasks.Go(func() { failed <- ended(socket.Serve(socketListener)) })
	workers.Go(func() { n.run(background) })
	var successor *net.UnixConn
	tasks.Go(func() {
		if successor = offer(ctx, takers, l, n.log); successor != nil {
			leave()
		}
	})
	n.announce(l)
	select {
	case <-ctx.Done():
	case err = <-failed:
		leave()
	}
	n.drain(asterisk, l, people, socket)
	tasks.Wait()
	n.flush(successor == nil)
	stop()
	workers.Wait()
	n.farewell(successor == nil)
	if successor != nil {
		err = errors.Join(err, successor.Close()) // tells it that we are done
	}
	return err
}

// announce tells whoever waits that the node answers.
func (n *node) announce(l listeners) {
	n.ready.Store(true)
	n.log.Info("serving", "asterisk", l.asterisk.Addr().String(), "people", l.people.Addr().String(), "instance", n.directory.Instance())
	if _, err := daemon.SdNotify(false, daemon.SdNotifyReady); err != nil {
		n.log.Debug("systemd can't be told", "error", err)
	}
	if n.options.Ready != nil {
		n.options.Ready(Addresses{Asterisk: l.asterisk.Addr().String(), People: l.people.Addr().String()})
	}
}

// drain stops accepting and answers what is under way.
func (n *node) drain(asterisk *asteriskListener, l listeners, people, socket *http.Server) {
	n.draining.Store(true)
	n.log.Info("draining")
	asterisk.drain(context.Background(), l.asterisk)
	n.trace.End()
	ctx, cancel := context.WithTimeout(context.Background(), peopleDrain)
	defer cancel()
	for _, server := range []*http.Server{people, socket} {
		if err := server.Shutdown(ctx); err != nil {
			n.log.Debug("a people-facing connection was still open at the end", "error", err)
		}
	}
}

// farewell takes a node that really ends out of the store's list of nodes.
func (n *node) farewell(last bool) {
	if !last {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), upkeepTimeout)
	defer cancel()
	if err := n.store.Farewell(ctx, n.config.Node.Name); err != nil {
		n.log.Debug("the store can't be told of the end", "error", err)
	}
}

// flush brings the spool to SQL before a real end, as far as SQL takes it; a
// successor does it itself.
func (n *node) flush(last bool) {
	if !last {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	var err error
	if !n.spool.State().Down {
		err = n.spool.Drain(ctx)
	}
	if left := n.spool.State().Entries; left > 0 {
		n.log.Info("the spool keeps what SQL did not take; the next start takes it up", "writes", left, "error", err)
	}
}

func ended(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// noteChanges names what of a changed config needs a restart.
func (n *node) noteChanges(cfg config.Config) {
	for _, key := range cfg.Keys() {
		n.log.Debug("config", "key", key, "origin", cfg.Origin(key))
	}
	if !reflect.DeepEqual(cfg, n.config) {
		n.log.Warn("the config changed: it takes effect with the next start", "hint", "asterism serve --replace restarts without refusing a call", "pid", os.Getpid())
	}
}
