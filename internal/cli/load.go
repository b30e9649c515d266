package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asterism/internal/control"
	"asterism/internal/failure"
)

func newLoadCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "load FAMILY FILE|-",
		Short: "Make the rows of a file exist",
		Long: "Make the rows of a file exist; - reads standard input. CSV: the first line names the columns.\n" +
			"JSON lines: one object per line, column to value. All rows are checked before the first is written.",
		Args: arguments(2, 2),
	}
	from := addConfig(cmd)
	format := cmd.Flags().String("format", "", "`csv` or jsonl; default: by the file's name, else csv")
	skipBad := cmd.Flags().Bool("skip-bad", false, "load the good rows even when there are bad ones")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		options := control.LoadOptions{Format: formatOf(args[1], *format), SkipBad: *skipBad}
		if options.Format != control.CSV && options.Format != control.JSONLines {
			return &usageError{cmd: cmd, message: fmt.Sprintf("load: no format %q", *format), hint: "formats are csv and jsonl"}
		}
		bePolite()
		return from.people(cmd.Context(), func(p *control.People) error {
			return d.load(cmd.Context(), p, args, options)
		})
	}
	return cmd
}

// formatOf gives the format that was asked for, else what the name says.
func formatOf(path, asked string) control.Format {
	if asked != "" {
		return control.Format(asked)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl", ".ndjson", ".json":
		return control.JSONLines
	}
	return control.CSV
}

func (d deps) load(ctx context.Context, p *control.People, args []string, o control.LoadOptions) error {
	file, err := d.open(args[1])
	if err != nil {
		return err
	}
	defer file.Close()
	bar := newBar(d.err)
	o.Progress = bar.report
	loaded, err := p.Load(ctx, args[0], file, o)
	bar.end()
	for _, line := range loaded.Lines {
		fmt.Fprintf(d.err, "line %d: %s\n", line.Number, line.Reason)
	}
	if more := loaded.Bad - int64(len(loaded.Lines)); more > 0 {
		fmt.Fprintf(d.err, "and %d more bad lines\n", more)
	}
	if err != nil {
		return err
	}
	said := fmt.Sprintf("%d rows loaded into %s", loaded.Rows, args[0])
	if loaded.Bad > 0 {
		said += fmt.Sprintf(", %d bad ones skipped", loaded.Bad)
	}
	fmt.Fprintln(d.out, said)
	d.wait(ctx, p)
	return nil
}

// open opens a file to load, or standard input.
func (d deps) open(path string) (io.ReadCloser, error) {
	if path == "-" {
		if file, ok := d.in.(*os.File); ok {
			return file, nil
		}
		return io.NopCloser(d.in), nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, &failure.Error{Kind: failure.Unknown, Field: "file", Message: "read the rows to load", Cause: err}
	}
	return file, nil
}
