package main

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// median of an even count is the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	switch {
	case len(sorted) == 0:
		return 0
	case len(sorted)%2 == 1:
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// of picks one figure out of each run.
func (c *contender) of(pick func(figures) float64) []float64 {
	var values []float64
	for _, f := range c.runs {
		values = append(values, pick(f))
	}
	return values
}

func (c *contender) microseconds() float64 { return median(c.of(figures.microseconds)) }
func (c *contender) perSecond() float64    { return median(c.of(figures.perSecond)) }
func (c *contender) p50() float64 {
	return median(c.of(func(f figures) float64 { return milliseconds(f.P50) }))
}

func (c *contender) p99() float64 {
	return median(c.of(func(f figures) float64 { return milliseconds(f.P99) }))
}

func (c *contender) errors() int {
	sum := 0
	for _, f := range c.runs {
		sum += f.Errors
	}
	return sum
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// withRange is "12.3 (11.9 to 14.0)"; a single run has no range.
func withRange(values []float64, format func(float64) string) string {
	text := format(median(values))
	if len(values) < 2 {
		return text
	}
	return fmt.Sprintf("%s (%s to %s)", text, format(slices.Min(values)), format(slices.Max(values)))
}

func oneDigit(value float64) string { return strconv.FormatFloat(value, 'f', 1, 64) }

func whole(value float64) string { return thousands(int(value + 0.5)) }

// thousands is 1,234,567.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// disturbance is what others took of the machine beside the peers.
func (l *lab) disturbance() string {
	return withRange(l.others, func(share float64) string { return oneDigit(100*share) + " %" })
}
