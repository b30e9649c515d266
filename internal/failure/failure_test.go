package failure

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestAnErrorTellsAPersonWhatToDo(t *testing.T) {
	f := func(e Error, want string) {
		t.Helper()
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f(Error{Kind: Absent, Message: "no row 6001 in ps_aors"}, "no row 6001 in ps_aors")
	f(Error{Message: "open the store", Cause: io.ErrUnexpectedEOF}, "open the store: unexpected EOF")
	f(Error{Message: "the schema is older", Hint: "run: asterism init"}, "the schema is older (run: asterism init)")
	f(Error{Message: "load numbers", Cause: io.EOF, Hint: "mend line 3"}, "load numbers: EOF (mend line 3)")
}

func TestTheKindIsThatOfTheOutermostError(t *testing.T) {
	full := &Error{Kind: Full, Message: "write", Cause: io.ErrShortWrite}
	f := func(err error, want Kind) {
		t.Helper()
		if got := KindOf(err); got != want {
			t.Errorf("%v is of kind %s, want %s", err, got, want)
		}
	}
	f(full, Full)
	f(fmt.Errorf("spool: %w", full), Full)
	f(errors.Join(io.EOF, full), Full)
	f(&Error{Kind: Unavailable, Message: "flush", Cause: full}, Unavailable)
	f(io.EOF, Internal)
	if !errors.Is(fmt.Errorf("spool: %w", full), io.ErrShortWrite) {
		t.Error("the cause is lost")
	}
}
