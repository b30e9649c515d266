package metrics

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Readiness tells whether the node should be asked, and why not or what is
// degraded, a line for each reason.
type Readiness func() (ready bool, reasons []string)

// Register adds /metrics, /healthz and /readyz to a mux.
func Register(mux *http.ServeMux, sources Sources, ready Readiness, log *slog.Logger) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector{sources}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		plain(w, http.StatusOK, []string{"ok"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		ok, reasons := ready()
		status := http.StatusOK
		if !ok {
			status = http.StatusServiceUnavailable
		}
		plain(w, status, reasons)
	})
}

func plain(w http.ResponseWriter, status int, lines []string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}
