package metrics

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"asterism/internal/absent"
	"asterism/internal/meter"
)

// State is a node's present state.
type State struct {
	Rows      map[string]int
	Scans     map[string]uint64
	DBUp      bool
	Lag       time.Duration
	Mended    uint64
	Spool     int
	Undurable int
	Refused   int
	Inflight  int
	Watchers  int
	Absent    []absent.Key // few
}

// Sources are where numbers come from.
type Sources struct {
	Vectors []*meter.Vector
	Seconds map[string]*meter.Histogram // by door
	State   func() State
}

// collector implements prometheus.Collector over Sources.
type collector struct{ sources Sources }

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("asterism_"+name, help, labels, nil)
}

// Describe implements prometheus.Collector; sending nothing makes it unchecked,
// since vectors come as they are given.
func (c collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c collector) Collect(out chan<- prometheus.Metric) {
	for _, v := range c.sources.Vectors {
		desc := describe(strings.TrimPrefix(v.Name, "asterism_"), v.Help, v.Labels...)
		v.Each(func(values []string, count uint64) {
			out <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(count), values...)
		})
	}
	seconds := describe("lookup_seconds", "Time in the server from a question read to its answer made.", "door")
	for door, h := range c.sources.Seconds {
		out <- histogram(seconds, h, door)
	}
	c.state(out, c.sources.State())
}

// histogram shows every fourth bucket: one to each doubling.
func histogram(desc *prometheus.Desc, h *meter.Histogram, door string) prometheus.Metric {
	counts, total, sum := h.Snapshot()
	buckets := make(map[float64]uint64)
	cumulated := uint64(0)
	for i, n := range counts {
		cumulated += n
		if i%4 == 3 {
			buckets[meter.UpperBound(i).Seconds()] = cumulated
		}
	}
	return prometheus.MustNewConstHistogram(desc, total, sum.Seconds(), buckets, door)
}

func (c collector) state(out chan<- prometheus.Metric, s State) {
	gauge := func(name, help string, value float64) {
		out <- prometheus.MustNewConstMetric(describe(name, help), prometheus.GaugeValue, value)
	}
	rows := describe("rows", "Rows in memory.", "family")
	for family, n := range s.Rows {
		out <- prometheus.MustNewConstMetric(rows, prometheus.GaugeValue, float64(n), family)
	}
	scans := describe("scans_total", "Questions that no index served.", "family")
	for family, n := range s.Scans {
		out <- prometheus.MustNewConstMetric(scans, prometheus.CounterValue, float64(n), family)
	}
	up := 0.0
	if s.DBUp {
		up = 1
	}
	gauge("db_up", "1 while the database can be read and written.", up)
	gauge("feed_lag_seconds", "From the commit of the newest published change to its publication.", s.Lag.Seconds())
	gauge("spool_entries", "Writes of Asterisk that are acknowledged and not yet in the database.", float64(s.Spool))
	gauge("undurable_writes", "Of these, writes that are in memory only, since the disk is full.", float64(s.Undurable))
	gauge("refused_rows", "Rows that the database refuses; they are served from memory.", float64(s.Refused))
	gauge("requests_in_flight", "Requests being answered on the Asterisk-facing listener.", float64(s.Inflight))
	gauge("watchers", "Watch operations of SOAP that wait for changes.", float64(s.Watchers))
	asked := describe("absent_asked", "Questions of the last minute for the keys that are asked for most and are not there.", "client", "family", "key")
	for _, key := range s.Absent {
		out <- prometheus.MustNewConstMetric(asked, prometheus.GaugeValue, float64(key.Count), key.Client, key.Family, key.Key)
	}
	out <- prometheus.MustNewConstMetric(describe("mended_rows_total", "Rows that a scrub found different from the database."), prometheus.CounterValue, float64(s.Mended))
}
