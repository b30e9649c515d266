package cli

import (
	"errors"

	"asterism/internal/failure"
	"asterism/internal/server"
)

// servingNode reaches the node that serves from a state folder. When none does, the
// hint is what the command suggests.
func servingNode(state, hint string) (*server.Client, error) {
	node, err := server.Dial(state)
	var e *failure.Error
	if errors.As(err, &e) && e.Kind == failure.Absent {
		return nil, &failure.Error{Kind: e.Kind, Message: e.Message, Hint: hint, Cause: e.Cause}
	}
	return node, err
}
