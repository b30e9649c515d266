// Package metrics is the door for those who watch a node: /metrics in the
// Prometheus text format, /healthz (the process lives) and /readyz (it should
// be asked).
//
// Numbers are read at scrape time from package meter and from Sources; nothing
// here costs a request anything.
package metrics
