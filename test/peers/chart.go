package main

import "asterism/test/report"

// chartFile stands beside the document.
const chartFile = "bench-peers.svg"

// drawChart draws the CPU of each request, one bar a line: shorter is better.
func drawChart(contenders []*contender) string {
	bars := make([]report.Bar, 0, len(contenders))
	for _, c := range contenders {
		bars = append(bars, report.Bar{Label: c.name, Value: c.microseconds(), Ours: c.name == oursSOAP || c.name == oursCurl})
	}
	return report.Chart("Server CPU of one request in microseconds, 16 connections kept alive (shorter is better)", bars)
}
