package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"asterism/internal/meter"
	"asterism/internal/metrics"
	"asterism/internal/restapi"
)

// Limits of the people-facing listener.
const (
	peopleHeader  = 10 * time.Second
	peopleRequest = 30 * time.Second
	peopleDrain   = 2 * time.Second
)

// peopleServer serves health, metrics and the API.
func (n *node) peopleServer(asterisk *asteriskListener) *http.Server {
	mux := http.NewServeMux()
	sources := metrics.Sources{
		Vectors: []*meter.Vector{n.meters.lookups, n.meters.unknownColumns, n.meters.truncated, n.meters.rejected},
		Seconds: map[string]*meter.Histogram{"curl": &asterisk.realtime.Lookups.Seconds, "soap": &asterisk.soap.Lookups.Seconds},
		State:   func() metrics.State { return n.state(asterisk.server.UnderWay()) },
	}
	metrics.Register(mux, sources, n.readiness, n.log)
	restapi.Register(mux, n.directory, time.Now, n.log)
	return &http.Server{
		Handler: guard(mux, n.config.People.Allow), ReadHeaderTimeout: peopleHeader, ReadTimeout: peopleRequest, WriteTimeout: peopleRequest,
		ErrorLog: slog.NewLogLogger(n.log.Handler(), slog.LevelDebug),
	}
}

// guard lets in loopback and the allowed networks.
func guard(next http.Handler, allow []netip.Prefix) http.Handler {
	if len(allow) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address, err := netip.ParseAddrPort(r.RemoteAddr)
		ip := address.Addr().Unmap()
		allowed := err == nil && ip.IsLoopback()
		for _, network := range allow {
			allowed = allowed || err == nil && network.Contains(ip)
		}
		if !allowed {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// controlServer serves the commands of this machine on a socket in the state
// folder.
func (n *node) controlServer(ctx context.Context) (*http.Server, net.Listener, error) {
	path := filepath.Join(n.config.Node.State, SocketName)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	if unix, ok := listener.(*net.UnixListener); ok {
		unix.SetUnlinkOnClose(false) // by then it may be a successor's
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("listen on %s: %w", path, err), listener.Close())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /status", answerJSON(func(r *http.Request) (any, error) { return n.report(r.Context()) }))
	mux.HandleFunc("POST /published", answerJSON(func(r *http.Request) (any, error) {
		return struct{}{}, n.feed.CatchUp(r.Context())
	}))
	mux.HandleFunc("POST /reload", answerJSON(func(r *http.Request) (any, error) {
		mended, err := n.reload(r.Context())
		return map[string]int{"mended": mended}, err
	}))
	mux.HandleFunc("POST /trace", n.answerTrace)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: peopleHeader, BaseContext: func(net.Listener) context.Context { return ctx }}
	return server, listener, nil
}

func answerJSON(answer func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		out, err := answer(r)
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			out = map[string]string{"error": err.Error()}
		}
		_ = json.NewEncoder(w).Encode(out) // a command that went away needs no answer
	}
}

// reload reads the config again, then the files of passwords and certificates
// that the node serves with, and compares every family with SQL. What of the
// config can't change while serving is named in the log.
func (n *node) reload(ctx context.Context) (mended int, err error) {
	if n.options.Reload != nil {
		cfg, err := n.options.Reload()
		if err != nil {
			return 0, err
		}
		n.noteChanges(cfg)
	}
	errFiles := n.admission.reload()
	mended, err = n.feed.Scrub(ctx)
	return mended, joined(errFiles, err)
}
