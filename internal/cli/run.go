package cli

import (
	"context"
	"io"
	"os/signal"
	"syscall"
	"time"
)

// Exit codes.
const (
	fine  = 0
	bad   = 1 // failed or absent
	usage = 2 // wrong usage
)

// deps is what every command gets from outside.
type deps struct {
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
}

// Run runs one command line, without the program's name, and gives the exit
// code. SIGINT and SIGTERM end the context; a second one ends the process.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	d := deps{in: stdin, out: stdout, err: stderr, now: time.Now}
	root := newRootCmd(d)
	root.SetArgs(args)
	return d.report(root.ExecuteContext(ctx))
}
