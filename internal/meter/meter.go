package meter

import (
	"math/bits"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Counter only grows.
type Counter struct{ n atomic.Uint64 }

// Add adds n.
func (c *Counter) Add(n uint64) { c.n.Add(n) }

// Value gives the count.
func (c *Counter) Value() uint64 { return c.n.Load() }

// Vector is a family of counters told apart by labels. Resolve children once,
// not per request.
type Vector struct {
	Name, Help string
	Labels     []string

	mu       sync.Mutex // guards children
	children map[string]*Counter
}

// NewVector makes an empty vector.
func NewVector(name, help string, labels ...string) *Vector {
	return &Vector{Name: name, Help: help, Labels: labels, children: make(map[string]*Counter)}
}

// MaxChildren bounds a vector: values of labels may come from clients. What is
// past it counts under "other".
const MaxChildren = 10_000

// With gives the child with these label values.
func (v *Vector) With(values ...string) *Counter {
	key := strings.Join(values, "\x00")
	v.mu.Lock()
	defer v.mu.Unlock()
	c := v.children[key]
	if c == nil {
		if len(v.children) >= MaxChildren {
			key = strings.Repeat("other\x00", len(v.Labels)-1) + "other"
			if c = v.children[key]; c != nil {
				return c
			}
		}
		c = &Counter{}
		v.children[key] = c
	}
	return c
}

// Each yields every child with its label values.
func (v *Vector) Each(yield func(values []string, count uint64)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for key, c := range v.children {
		yield(strings.Split(key, "\x00"), c.Value())
	}
}

// buckets of a histogram: four to each doubling, from 1 µs on.
const buckets = 4 * 28

// Histogram counts durations in logarithmic buckets, each a quarter of a
// doubling wide (so a quantile is right to 19 %).
type Histogram struct {
	counts [buckets]atomic.Uint64
	sum    atomic.Uint64 // nanoseconds
}

// Observe counts a duration.
func (h *Histogram) Observe(d time.Duration) {
	h.counts[bucketOf(d)].Add(1)
	h.sum.Add(uint64(max(d, 0)))
}

func bucketOf(d time.Duration) int {
	units := uint64(max(d/250, 4)) // quarters of a microsecond
	exponent := bits.Len64(units) - 3
	return min(exponent*4+int(units>>exponent)-4, buckets-1)
}

// UpperBound gives the upper end of a bucket.
func UpperBound(bucket int) time.Duration {
	return time.Duration(4+bucket%4+1) << (bucket / 4) * 250
}

// Snapshot gives the counts per bucket, their total and the sum of all durations.
func (h *Histogram) Snapshot() (counts [buckets]uint64, total uint64, sum time.Duration) {
	for i := range h.counts {
		counts[i] = h.counts[i].Load()
		total += counts[i]
	}
	return counts, total, time.Duration(h.sum.Load())
}

// Once remembers names, so that something is logged once for each.
type Once struct {
	mu   sync.Mutex // guards seen
	seen map[string]bool
}

// maxOnce bounds the names; past it nothing is new any more.
const maxOnce = 10_000

// First tells, once for each name, that it is the first time.
func (o *Once) First(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.seen[name] || len(o.seen) >= maxOnce {
		return false
	}
	if o.seen == nil {
		o.seen = make(map[string]bool)
	}
	o.seen[name] = true
	return true
}
