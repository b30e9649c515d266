package bench

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// longestLatency is what a histogram can hold, well above requestDeadline.
const longestLatency = time.Minute

// newLatencies counts microseconds to three digits.
func newLatencies() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, longestLatency.Microseconds(), 3)
}

// recordLatency cannot fail: what is out of range is counted at its end.
func recordLatency(latencies *hdrhistogram.Histogram, elapsed time.Duration) {
	elapsed = max(0, min(elapsed, longestLatency))
	countLatency(latencies, elapsed.Microseconds(), 1)
}

// countLatency takes microseconds that are in range.
func countLatency(latencies *hdrhistogram.Histogram, microseconds, count int64) {
	if err := latencies.RecordValues(microseconds, count); err != nil {
		panic("bench: a histogram refused a value inside its own range: " + err.Error())
	}
}
