package main

import (
	"fmt"

	"asterism/internal/bench"
	"asterism/test/report"
)

func peerTable(contenders []*contender) string {
	t := report.NewTable("server and question", "server CPU µs/request", "requests/s", "p50 ms", "p99 ms", "errors")
	for _, c := range contenders {
		t.Row(c.name, withRange(c.of(figures.microseconds), oneDigit), withRange(c.of(figures.perSecond), whole),
			fmt.Sprintf("%.3f", c.p50()), fmt.Sprintf("%.3f", c.p99()), thousands(c.errors()))
	}
	return t.String()
}

// verdicts say in which of our aims we are, and in which not.
func verdicts(contenders []*contender) string {
	by := map[string]*contender{}
	for _, c := range contenders {
		by[c.name] = c
	}
	soap, curl := by[oursSOAP], by[oursCurl]
	t := report.NewTable("aim", "measured", "reached")
	judge := func(aim string, measured, most float64) {
		t.Row(aim, fmt.Sprintf("%.2f", measured), report.YesNo(measured <= most))
	}
	judge("SOAP: CPU at most that of nginx's constant", soap.microseconds()/by[nginxSOAP].microseconds(), 1)
	judge("SOAP: CPU at most half of the gSOAP server's", soap.microseconds()/by[gsoapSOAP].microseconds(), 0.5)
	judge("curl wire: CPU at most that of nginx's constant", curl.microseconds()/by[nginxCurl].microseconds(), 1)
	for _, pair := range [][2]*contender{{soap, by[nginxSOAP]}, {curl, by[nginxCurl]}} {
		rate, times := pair[0].perSecond(), pair[0].perSecond()/pair[1].perSecond()
		t.Row(pair[0].wire.name+": 40,000 requests/s, or 1.1 times nginx's", fmt.Sprintf("%s, %.2f times", whole(rate), times), report.YesNo(rate >= 40_000 || times >= 1.1))
	}
	return t.String()
}

func sizeTable(sizes []*size) string {
	t := report.NewTable("numbers", "ready in s", "memory MiB", "server CPU µs/request", "requests/s", "p50 ms", "p99 ms", "1 connection: p50 ms", "p99 ms", "CPU µs/request")
	for _, s := range sizes {
		t.Row(thousands(s.node.numbers), oneDigit(s.node.ready.Seconds()), thousands(int(s.resident>>20)),
			withRange(s.many.of(figures.microseconds), oneDigit), whole(s.many.perSecond()),
			fmt.Sprintf("%.3f", s.many.p50()), fmt.Sprintf("%.3f", s.many.p99()),
			fmt.Sprintf("%.3f", s.one.p50()), fmt.Sprintf("%.3f", s.one.p99()), oneDigit(s.one.microseconds()))
	}
	t.WriteByte('\n')
	verdict := report.NewTable("aim", "measured", "reached")
	for _, s := range sizes[1:] {
		aim := fmt.Sprintf("p50 with %s numbers at most 1.2 times that with %s", thousands(s.node.numbers), thousands(sizes[0].node.numbers))
		many, one := s.many.p50()/sizes[0].many.p50(), s.one.p50()/sizes[0].one.p50()
		verdict.Row(aim, fmt.Sprintf("%.2f, one connection %.2f", many, one), report.YesNo(many <= 1.2 && one <= 1.2))
	}
	return t.String() + verdict.String()
}

func table2004(results []bench.Result) string {
	t := report.NewTable("connection", "client processes", "requests/s", "p50 ms", "p99 ms", "worst ms", "server CPU µs each", "server CPU", "clients' CPU", "memory of a client MiB", "errors", "2004: requests/s, server CPU", "factor")
	for _, r := range results {
		then, factor := "", ""
		for _, line := range bench.First2004() {
			if line.Processes == r.Processes {
				then = fmt.Sprintf("%.0f, %.0f %%", line.RequestsPerSecond, line.ServerCPUPercent)
				factor = oneDigit(r.RequestsPerSecond / line.RequestsPerSecond)
			}
		}
		t.Row(r.Connection, fmt.Sprint(r.Processes), whole(r.RequestsPerSecond), fmt.Sprintf("%.3f", r.P50Ms), fmt.Sprintf("%.3f", r.P99Ms), fmt.Sprintf("%.3f", r.MaxMs),
			oneDigit(r.ServerCPUMicrosPerRequest), whole(r.ServerCPUPercent)+" %", whole(r.ClientCPUPercent)+" %", oneDigit(float64(r.ClientRSSBytes)/(1<<20)),
			thousands(r.Errors), then, factor)
	}
	return t.String()
}

func insideTable(all []benchmark) string {
	t := report.NewTable("package", "benchmark", "ns", "bytes", "allocations")
	for _, b := range all {
		t.Row(b.Package, b.Name, b.Nanoseconds, b.Bytes, b.Allocations)
	}
	return t.String()
}
