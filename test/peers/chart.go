package main

import (
	"fmt"
	"html"
	"strings"
)

// chartFile stands beside the document.
const chartFile = "bench-peers.svg"

// Lengths of the chart in pixels.
const (
	chartWidth = 760
	labelWidth = 330
	barHeight  = 22
	rowHeight  = 34
	topHeight  = 44
	valueSpace = 60 // for the figure behind the longest bar
)

// chartStyle keeps the chart readable on white and on black.
const chartStyle = `<style>
text { font: 13px sans-serif; fill: #1f2328 }
.title { font-weight: bold }
.ours { fill: #1a7f37 }
.peer { fill: #8c959f }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.ours { fill: #3fb950 }
.peer { fill: #6e7681 }
}
</style>
`

// drawChart draws the CPU of each request, one bar a line: shorter is better.
func drawChart(contenders []*contender) string {
	longest := 0.0
	for _, c := range contenders {
		longest = max(longest, c.microseconds())
	}
	chart := &strings.Builder{}
	height := topHeight + rowHeight*len(contenders)
	fmt.Fprintf(chart, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", chartWidth, height, chartWidth, height)
	title := "Server CPU of one request in microseconds, 16 connections kept alive (shorter is better)"
	fmt.Fprintf(chart, "<title>%s</title>\n%s", title, chartStyle)
	fmt.Fprintf(chart, `<text class="title" x="8" y="24">%s</text>`+"\n", title)
	for i, c := range contenders {
		top, class := topHeight+i*rowHeight, "peer"
		if c.name == oursSOAP || c.name == oursCurl {
			class = "ours"
		}
		length := c.microseconds() / longest * (chartWidth - labelWidth - valueSpace)
		fmt.Fprintf(chart, `<text x="%d" y="%d" text-anchor="end">%s</text>`, labelWidth-8, top+16, html.EscapeString(c.name))
		fmt.Fprintf(chart, `<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="3"/>`, class, labelWidth, top, length, barHeight)
		fmt.Fprintf(chart, `<text x="%.1f" y="%d">%.1f</text>`+"\n", labelWidth+length+8, top+16, c.microseconds())
	}
	chart.WriteString("</svg>\n")
	return chart.String()
}
