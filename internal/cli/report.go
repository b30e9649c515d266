package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"asterism/internal/config"
	"asterism/internal/control"
	"asterism/internal/failure"
)

// usageError is a command line that can't be meant.
type usageError struct {
	cmd     *cobra.Command
	message string
	hint    string
}

// Error implements error.
func (e *usageError) Error() string { return e.message }

// errSaid ends a command with exit code 1 that has said all there is to say.
var errSaid = errors.New("failed")

// report prints an error for a person and gives the exit code.
func (d deps) report(err error) int {
	var mistake *usageError
	switch {
	case err == nil:
		return fine
	case errors.Is(err, errSaid):
		return bad
	case errors.As(err, &mistake):
		d.complain(mistake.message, mistake.hint)
		fmt.Fprintln(d.err, "usage: "+mistake.cmd.UseLine())
		return usage
	}
	for _, one := range split(err) {
		d.complain(explain(one))
	}
	return bad
}

// complain prints what went wrong, and what mends it.
func (d deps) complain(message, hint string) {
	fmt.Fprintln(d.err, "asterism: "+message)
	if hint != "" {
		fmt.Fprintln(d.err, "hint: "+hint)
	}
}

// split gives the faults of an error that is made of several.
func split(err error) []error {
	var faults control.Faults
	if errors.As(err, &faults) {
		return faults.Unwrap()
	}
	var file *config.Faults
	if errors.As(err, &file) {
		var lines []error
		for line := range strings.Lines(file.Error()) {
			lines = append(lines, errors.New(strings.TrimSuffix(line, "\n")))
		}
		return lines
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return several.Unwrap()
	}
	return []error{err}
}

// explain takes the hint out of an error's text.
func explain(err error) (message, hint string) {
	message = err.Error()
	var e *failure.Error
	if errors.As(err, &e) && e.Hint != "" {
		return strings.Replace(message, " ("+e.Hint+")", "", 1), e.Hint
	}
	return message, ""
}
