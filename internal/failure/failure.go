package failure

import "errors"

// Kind is what went wrong, as far as a caller can act on it. Its text is the
// stable code.
type Kind string

const (
	Invalid     Kind = "invalid"     // the request can't be right; Field says where
	Unknown     Kind = "unknown"     // no such family, column, file
	Absent      Kind = "absent"      // no such row
	Refused     Kind = "refused"     // SQL refuses the row (constraint, type, length)
	Unavailable Kind = "unavailable" // the database can't be asked now; try again
	Full        Kind = "full"        // no room on the disk
	Outdated    Kind = "outdated"    // the schema is older than this program
	Internal    Kind = "internal"
)

// Error is an error with a kind. Message says what was attempted on what; Hint is
// the command, key or file that mends it.
type Error struct {
	Kind    Kind
	Field   string
	Message string
	Hint    string
	Cause   error
}

// Error gives the message, its cause and the hint, for a person.
func (e *Error) Error() string {
	text := e.Message
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// KindOf gives the kind of an error; Internal for one without.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
