package report

import (
	"fmt"
	"html"
	"strings"
)

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

// Bar is one line of a chart.
type Bar struct {
	Label string
	Value float64
	Ours  bool // drawn as Asterism's
}

// Chart draws bars below each other, with one digit behind the point.
func Chart(title string, bars []Bar) string {
	longest := 0.0
	for _, bar := range bars {
		longest = max(longest, bar.Value)
	}
	chart := &strings.Builder{}
	height := topHeight + rowHeight*len(bars)
	fmt.Fprintf(chart, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", chartWidth, height, chartWidth, height)
	fmt.Fprintf(chart, "<title>%s</title>\n%s", html.EscapeString(title), chartStyle)
	fmt.Fprintf(chart, `<text class="title" x="8" y="24">%s</text>`+"\n", html.EscapeString(title))
	for i, bar := range bars {
		top, class := topHeight+i*rowHeight, "peer"
		if bar.Ours {
			class = "ours"
		}
		length := bar.Value / longest * (chartWidth - labelWidth - valueSpace)
		fmt.Fprintf(chart, `<text x="%d" y="%d" text-anchor="end">%s</text>`, labelWidth-8, top+16, html.EscapeString(bar.Label))
		fmt.Fprintf(chart, `<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="3"/>`, class, labelWidth, top, length, barHeight)
		fmt.Fprintf(chart, `<text x="%.1f" y="%d">%.1f</text>`+"\n", labelWidth+length+8, top+16, bar.Value)
	}
	chart.WriteString("</svg>\n")
	return chart.String()
}
