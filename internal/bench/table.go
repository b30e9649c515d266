package bench

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// unknown stands in the table for a figure that nobody measured.
const unknown = "-"

// Table writes the results for people. Below each with 1, 2 or 4 processes
// stands the same line of the experiment of 2004, and beside it how many times
// faster the server is now. Errors are explained below the table.
func Table(w io.Writer, results []Result) {
	rows := table.NewWriter()
	rows.SetStyle(table.StyleLight)
	rows.Style().Format.Header = text.FormatDefault
	rows.AppendHeader(table.Row{
		"client", "processes", "requests/s", "s/request", "p50 ms", "p99 ms", "max ms",
		"server CPU\nµs/request", "server\nCPU %", "client\nCPU %", "client\nRSS MiB", "errors", "times\n2004",
	})
	const columns = 13
	var right []table.ColumnConfig
	for number := 2; number <= columns; number++ {
		right = append(right, table.ColumnConfig{Number: number, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	rows.SetColumnConfigs(right)
	for _, result := range results {
		baseline, found := baselineFor(result.Processes)
		factor := unknown
		if found {
			factor = figure("%.1f", result.RequestsPerSecond/baseline.RequestsPerSecond)
		}
		rows.AppendRow(resultRow(result, factor))
		if found {
			rows.AppendRow(baselineRow(baseline))
		}
		rows.AppendSeparator()
	}
	fmt.Fprintln(w, rows.Render())
	explainErrors(w, results)
}

func resultRow(result Result, factor string) table.Row {
	return table.Row{
		result.name(),
		result.Processes,
		figure("%.0f", result.RequestsPerSecond),
		figure("%.6f", result.SecondsPerRequest),
		figure("%.3f", result.P50Ms),
		figure("%.3f", result.P99Ms),
		figure("%.3f", result.MaxMs),
		figure("%.1f", result.ServerCPUMicrosPerRequest),
		figure("%.0f", result.ServerCPUPercent),
		figure("%.0f", result.ClientCPUPercent),
		figure("%.1f", float64(result.ClientRSSBytes)/(1<<20)),
		result.Errors,
		factor,
	}
}

func baselineRow(line Baseline) table.Row {
	return table.Row{
		"first experiment, 2004",
		line.Processes,
		figure("%.0f", line.RequestsPerSecond),
		figure("%.6f", 1/line.RequestsPerSecond),
		unknown,
		unknown,
		unknown,
		figure("%.1f", line.serverMicrosPerRequest()),
		figure("%.0f", line.ServerCPUPercent),
		unknown,
		unknown,
		unknown,
		figure("%.1f", 1),
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
