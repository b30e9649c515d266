package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// unknown stands in the table for a figure that nobody measured.
const unknown = "-"

// heading names the columns.
var heading = []string{
	"client", "processes", "requests/s", "s/request", "p50 ms", "p99 ms", "max ms",
	"server µs", "server %", "client %", "client MiB", "errors", "x 2004",
}

// Table writes the results for people. Below each with 1, 2 or 4 processes
// stands the same line of the experiment of 2004, and beside it how many times
// faster the server is now. Server µs is CPU per request; the percentages are of
// one CPU. Errors are explained below the table.
func Table(w io.Writer, results []Result) {
	rows := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line(rows, heading)
	for _, result := range results {
		baseline, found := baselineFor(result.Processes)
		factor := unknown
		if found {
			factor = figure("%.1f", result.RequestsPerSecond/baseline.RequestsPerSecond)
		}
		line(rows, append(result.cells(), factor))
		if found {
			line(rows, baseline.cells())
		}
	}
	_ = rows.Flush() // an error of w shows in what follows
	explainErrors(w, results)
}

func line(w io.Writer, cells []string) {
	fmt.Fprintln(w, strings.Join(cells, "\t")+"\t")
}

func (r Result) cells() []string {
	return []string{
		r.name(),
		fmt.Sprint(r.Processes),
		figure("%.0f", r.RequestsPerSecond),
		figure("%.6f", r.SecondsPerRequest),
		figure("%.3f", r.P50Ms),
		figure("%.3f", r.P99Ms),
		figure("%.3f", r.MaxMs),
		figure("%.1f", r.ServerCPUMicrosPerRequest),
		figure("%.0f", r.ServerCPUPercent),
		figure("%.0f", r.ClientCPUPercent),
		figure("%.1f", float64(r.ClientRSSBytes)/(1<<20)),
		fmt.Sprint(r.Errors),
	}
}

func (b Baseline) cells() []string {
	return []string{
		"first experiment, 2004",
		fmt.Sprint(b.Processes),
		figure("%.0f", b.RequestsPerSecond),
		figure("%.6f", 1/b.RequestsPerSecond),
		unknown, unknown, unknown,
		figure("%.1f", b.serverMicrosPerRequest()),
		figure("%.0f", b.ServerCPUPercent),
		unknown, unknown, unknown,
		"1.0",
	}
}

// figure shows a zero as unknown: nothing that is measured here takes nothing.
func figure(format string, value float64) string {
	if value == 0 {
		return unknown
	}
	return fmt.Sprintf(format, value)
}

// name tells apart results that may stand in one table.
func (r Result) name() string {
	return strings.Join([]string{r.Client, r.Door, r.Connection}, " ")
}

func explainErrors(w io.Writer, results []Result) {
	for _, result := range results {
		if result.Errors > 0 {
			fmt.Fprintf(w, "%s, %d processes: %d of %d requests went wrong, one of them: %s\n",
				result.name(), result.Processes, result.Errors, result.Requests, result.FirstError)
		}
	}
}
