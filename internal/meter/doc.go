// Package meter counts: counters and histograms that cost one atomic operation
// to update, and Once, which lets a thing be logged once per name. It knows
// nothing of how they are shown; package metrics does that.
package meter
