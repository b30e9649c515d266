// Package report writes what the measuring programs found: Markdown between the
// markers of a page, bars as SVG, the machine that the figures come from.
package report
