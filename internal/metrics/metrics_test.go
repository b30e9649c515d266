package metrics

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"asterism/internal/absent"
	"asterism/internal/meter"
)

// scrape serves the door over HTTP and gives the answer to a path.
func scrape(t *testing.T, path string, ready Readiness) (status int, body string) {
	t.Helper()
	lookups := meter.NewVector("asterism_lookups_total", "Questions.", "door", "family", "outcome")
	lookups.With("curl", "numbers", "hit").Add(3)
	var seconds meter.Histogram
	seconds.Observe(20 * time.Microsecond)
	mux := http.NewServeMux()
	Register(mux, Sources{
		Vectors: []*meter.Vector{lookups},
		Seconds: map[string]*meter.Histogram{"curl": &seconds},
		State: func() State {
			return State{Rows: map[string]int{"numbers": 7}, Scans: map[string]uint64{"numbers": 1}, DBUp: true, Spool: 2, Refused: 1, Watchers: 3, Absent: []absent.Key{
				{Client: "192.0.2.5", Family: "ps_endpoints", Key: "id=a\"\\\n\uFFFD", Count: 5000},
			}}
		},
	}, ready, slog.New(slog.DiscardHandler))
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	return answer.Code, answer.Body.String()
}

func fine() (bool, []string) { return true, []string{"ready"} }

func TestMetricsAreThoseOfTheContract(t *testing.T) {
	_, body := scrape(t, "/metrics", fine)
	for _, line := range []string{
		`asterism_lookups_total{door="curl",family="numbers",outcome="hit"} 3`, `asterism_lookup_seconds_count{door="curl"} 1`,
		`asterism_rows{family="numbers"} 7`, `asterism_scans_total{family="numbers"} 1`, "asterism_db_up 1", "asterism_feed_lag_seconds 0",
		"asterism_spool_entries 2", "asterism_refused_rows 1", "asterism_watchers 3",
		`asterism_absent_asked{client="192.0.2.5",family="ps_endpoints",key="id=a\"\\\n` + "\uFFFD" + `"} 5000`,
	} {
		if !strings.Contains(body, line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
}

func TestMetricsAreWellFormed(t *testing.T) {
	_, body := scrape(t, "/metrics", fine)
	problems, err := promlint.New(strings.NewReader(body)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		if strings.HasPrefix(problem.Metric, "asterism_") {
			t.Errorf("%s: %s", problem.Metric, problem.Text)
		}
	}
}

func TestReadinessGivesALineForEachReason(t *testing.T) {
	f := func(path string, ready bool, status int, want string) {
		t.Helper()
		got, body := scrape(t, path, func() (bool, []string) { return ready, []string{"one", "two"} })
		if got != status || body != want {
			t.Errorf("%s: %d %q, want %d %q", path, got, body, status, want)
		}
	}
	f("/readyz", true, http.StatusOK, "one\ntwo\n")
	f("/readyz", false, http.StatusServiceUnavailable, "one\ntwo\n")
	f("/healthz", false, http.StatusOK, "ok\n")
}
