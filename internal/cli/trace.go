package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"asterism/internal/failure"
	"asterism/internal/server"
	"asterism/internal/trace"
)

func newTraceCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Show live what Asterisk asks the node on this machine, and what it gets",
		Long: `Show live what Asterisk asks the node on this machine, and what it gets.

  asterism trace --key 6001                         all about phone 6001: its rows, contacts, 6001@domain, queue members
  asterism trace --family ps_contacts --key 6001    the same of one family
  asterism trace --family ps_endpoints              every question about a family

It ends with Ctrl-C, --for or --count. Passwords and the like are shown as [secret].`,
		Args: arguments(0, 0),
	}
	from := addConfig(cmd)
	var f trace.Filter
	cmd.Flags().StringVar(&f.Family, "family", "", "only questions about `FAMILY`")
	cmd.Flags().StringVar(&f.Key, "key", "", "only questions about `KEY`")
	t := &tracing{deps: d}
	cmd.Flags().DurationVar(&t.span, "for", 0, "end after `TIME`, as in 30s or 5m")
	cmd.Flags().IntVar(&t.left, "count", 0, "end after `N` lines")
	cmd.Flags().BoolVar(&t.asJSON, "json", false, "print a JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case f.Family == "" && f.Key == "":
			return &usageError{cmd: cmd, message: "trace: neither --family nor --key", hint: "asterism trace --key 6001"}
		case t.span < 0 || t.left < 0:
			return &usageError{cmd: cmd, message: "trace: a negative --for or --count"}
		}
		cfg, err := from.load()
		if err != nil {
			return err
		}
		node, err := servingNode(cfg.Node.State, "asterism serve starts one; trace shows what is asked while it serves")
		if err != nil {
			return err
		}
		return t.run(cmd.Context(), node, f)
	}
	return cmd
}

// tracing is one run of trace.
type tracing struct {
	deps
	span   time.Duration // 0: no end
	left   int           // lines; 0: no end
	asJSON bool
}

// errShown ends a trace that has shown what it should.
var errShown = errors.New("enough lines")

// run shows lines until it is told to end.
func (t *tracing) run(ctx context.Context, node *server.Client, f trace.Filter) error {
	if t.span > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.span)
		defer cancel()
	}
	err := node.Trace(ctx, f, func() { fmt.Fprintln(t.err, "tracing; Ctrl-C ends it") }, t.show)
	switch {
	case errors.Is(err, errShown), ctx.Err() != nil:
		return nil
	case errors.Is(err, io.EOF):
		return &failure.Error{Kind: failure.Unavailable, Message: "the trace was cut off: the node ended, or another took its place", Hint: "asterism status tells whether one serves; then trace again"}
	}
	return err
}

// show prints one line as it came.
func (t *tracing) show(raw []byte) error {
	var line trace.Line
	if err := json.Unmarshal(raw, &line); err != nil {
		return fmt.Errorf("read a line of the trace: %w", err)
	}
	var err error
	if t.asJSON {
		_, err = fmt.Fprintln(t.out, string(raw))
	} else {
		_, err = io.WriteString(t.out, textOf(&line))
	}
	if err != nil {
		return fmt.Errorf("print a line of the trace: %w", err)
	}
	if t.left > 0 && line.Outcome != "" {
		if t.left--; t.left == 0 {
			return errShown
		}
	}
	return nil
}

// textOf is a line for a person:
//
//	02:17:21.123456 10.0.0.5:41234 curl single ps_aors id=6001 -> hit, 1 row, 3.1 µs: id=6001, max_contacts=1
func textOf(l *trace.Line) string {
	var b strings.Builder
	if l.Dropped > 0 {
		fmt.Fprintf(&b, "%d lines were dropped: they came faster than they were read\n", l.Dropped)
	}
	if l.Outcome == "" {
		return b.String()
	}
	fmt.Fprintf(&b, "%s %s %s %s %s", l.Time.Local().Format("15:04:05.000000"), l.Client, l.Wire, l.Verb, printable(l.Family))
	if len(l.Conditions) > 0 {
		b.WriteString(" " + joined(l.Conditions))
	}
	if len(l.Fields) > 0 {
		b.WriteString(" set " + joined(l.Fields))
	}
	fmt.Fprintf(&b, " -> %s, %s, %s µs", outcomeOf(l), counted(l.Rows, "row"), strconv.FormatFloat(l.Microseconds, 'f', -1, 64))
	for i, row := range l.Answer {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString(" | ")
		}
		b.WriteString(joined(row))
	}
	if more := l.Rows - len(l.Answer); more > 0 && len(l.Answer) > 0 {
		fmt.Fprintf(&b, " | and %d more", more)
	}
	b.WriteByte('\n')
	return b.String()
}

// outcomeOf is how it ended, and why.
func outcomeOf(l *trace.Line) string {
	if l.Error == "" {
		return string(l.Outcome)
	}
	return string(l.Outcome) + " (" + printable(l.Error) + ")"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func joined(texts []string) string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = printable(text)
	}
	return strings.Join(out, ", ")
}

// printable is a text as it is, or quoted when it holds what a terminal would
// take as a command: it may come from a stranger.
func printable(text string) string {
	for _, r := range text {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return strconv.Quote(text)
		}
	}
	return text
}
