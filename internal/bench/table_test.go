package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestTableIsReadable(t *testing.T) {
	results := []Result{
		{
			Client: "go", Door: "soap", Connection: "keep-alive", Processes: 1, Requests: 5000,
			Seconds: 0.5, SecondsPerRequest: 0.0001, RequestsPerSecond: 10000, P50Ms: 0.09, P99Ms: 0.21, MaxMs: 3.4,
			ServerCPUMicrosPerRequest: 19.4, ServerCPUPercent: 19.4, ClientCPUPercent: 21, ClientRSSBytes: 9 << 20,
		},
		{
			Client: "go", Door: "curl", Connection: "new", Processes: 3, Requests: 15000, Errors: 2,
			Seconds: 1, SecondsPerRequest: 0.00006667, RequestsPerSecond: 14998, P50Ms: 0.1, P99Ms: 0.4, MaxMs: 12,
			ClientCPUPercent: 104, ClientRSSBytes: 9 << 20, FirstError: "number 1: connection refused",
		},
		{
			Client: "go", Door: "curl", Connection: "keep-alive", Processes: 4, Requests: 20000, Errors: 20000,
			Seconds: 1, ClientCPUPercent: 90, ClientRSSBytes: 8 << 20, FirstError: "number 1: status 500",
		},
	}
	var got bytes.Buffer
	Table(&got, results)
	want, err := os.ReadFile(filepath.Join("testdata", "table.txt"))
	if err != nil || got.String() != string(want) {
		t.Errorf("error %v, got\n%s\nwant\n%s", err, got.String(), want)
	}
}

func TestFirst2004(t *testing.T) {
	f := func(processes int, want float64) {
		t.Helper()
		got, found := baselineFor(processes)
		if found != (want != 0) || got.RequestsPerSecond != want {
			t.Errorf("%d processes: got %+v", processes, got)
		}
	}
	f(1, 277)
	f(2, 384)
	f(3, 0)
	f(4, 476)
}
