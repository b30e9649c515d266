package cli

import (
	"io"
	"log/slog"
)

// newLog makes a node's log: text for a person at a terminal, JSON for machines,
// unless format says json or text.
func newLog(w io.Writer, format string) *slog.Logger {
	if format == "text" || format == "" && terminal(w) {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}
