package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/control"
	"asterism/internal/failure"
	"asterism/internal/store"
)

// ran is what a command line said.
type ran struct {
	code     int
	out, err string
}

// run runs a command line with an empty standard input.
func run(t *testing.T, args ...string) ran {
	t.Helper()
	var out, err bytes.Buffer
	code := Run(t.Context(), args, strings.NewReader(""), &out, &err)
	return ran{code, out.String(), err.String()}
}

func TestWrongUsageIsExplained(t *testing.T) {
	f := func(want string, args ...string) {
		t.Helper()
		got := run(t, args...)
		if got.code != usage || got.out != "" {
			t.Errorf("%q: exit %d, %q", args, got.code, got.out)
		}
		if diff := cmp.Diff(want, got.err); diff != "" {
			t.Errorf("%q: %s", args, diff)
		}
	}
	f("asterism: no command given\nhint: asterism help lists them\nusage: asterism COMMAND\n")
	f("asterism: no command \"lod\"\nhint: did you mean load?\nusage: asterism COMMAND\n", "lod", "--json")
	f("asterism: no command \"zzzzzzzz\"\nhint: asterism help lists them\nusage: asterism COMMAND\n", "zzzzzzzz")
	f("asterism: unknown flag: --jsn\nusage: asterism get FAMILY KEY [flags]\n", "get", "--jsn")
	f("asterism: get: 1 arguments where it takes at least 2\nusage: asterism get FAMILY KEY [flags]\n", "get", "numbers")
	f("asterism: delete: 3 arguments where it takes at most 2\nusage: asterism delete FAMILY KEY [flags]\n", "delete", "numbers", "1", "2")
	f("asterism: set: \"codecs\" is not COLUMN=VALUE\nusage: asterism set FAMILY KEY COLUMN=VALUE... [flags]\n", "set", "numbers", "1", "codecs")
	f("asterism: list: a negative --limit\nusage: asterism list FAMILY [COLUMN=VALUE...] [flags]\n", "list", "numbers", "--limit", "-1")
	f("asterism: load: no format \"xml\"\nhint: formats are csv and jsonl\nusage: asterism load FAMILY FILE|- [flags]\n", "load", "numbers", "-", "--format", "xml")
	f("asterism: bench: no door \"agi\"\nhint: doors are soap and curl\nusage: asterism bench soap|curl [flags]\n", "bench", "agi")
	f("asterism: bench: no client \"ab\"\nhint: clients are go and gsoap\nusage: asterism bench soap|curl [flags]\n", "bench", "soap", "--client", "ab")
	f("asterism: bench: the client gsoap does not speak curl\nhint: asterism bench soap --client gsoap\nusage: asterism bench soap|curl [flags]\n", "bench", "curl", "--client", "gsoap")
	f("asterism: serve: no log format \"xml\"\nhint: formats are json and text\nusage: asterism serve [flags]\n", "serve", "--log", "xml")
}

func TestHelpIsNoMistake(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}, {"help", "load"}, {"load", "--help"}} {
		if got := run(t, args...); got.code != fine || !strings.Contains(got.out, "Usage:") || got.err != "" {
			t.Errorf("%q: exit %d, %q", args, got.code, got.err)
		}
	}
}

func TestBenchClientIsHidden(t *testing.T) {
	if got := run(t, "help"); strings.Contains(got.out, benchClient) {
		t.Error("help lists it")
	}
	if got := run(t, benchClient); got.code != bad || !strings.Contains(got.err, "not by hand") {
		t.Errorf("by hand: %+v", got)
	}
}

func TestErrorsTellTheirHintsApart(t *testing.T) {
	f := func(err error, wantCode int, want string) {
		t.Helper()
		var said bytes.Buffer
		if code := (deps{err: &said}).report(err); code != wantCode || said.String() != want {
			t.Errorf("%v: exit %d, %q, want %q", err, code, said.String(), want)
		}
	}
	one := &failure.Error{Kind: failure.Invalid, Message: "a", Hint: "do b", Cause: errors.New("c")}
	f(nil, fine, "")
	f(errSaid, bad, "")
	f(errors.New("a"), bad, "asterism: a\n")
	f(one, bad, "asterism: a: c\nhint: do b\n")
	f(errors.Join(one, nil), bad, "asterism: a: c\nhint: do b\n")
	f(control.Faults{one, {Message: "d"}}, bad, "asterism: a: c\nhint: do b\nasterism: d\n")
}

func TestAChangeThatIsNotShownYetIsARemark(t *testing.T) {
	var said bytes.Buffer
	people := &control.People{Published: func(ctx context.Context) error {
		deadline, _ := ctx.Deadline()
		if left := time.Until(deadline); left <= 0 || left > 2*time.Second {
			t.Errorf("%v to wait", left)
		}
		return context.DeadlineExceeded
	}}
	deps{err: &said}.wait(t.Context(), people)
	if !strings.HasPrefix(said.String(), "asterism: the change is made, but ") {
		t.Errorf("%q", said.String())
	}
}

func TestObjectsKeepTheOrderOfColumns(t *testing.T) {
	f := func(want string, row ...store.Text) {
		t.Helper()
		if got := string(appendObject(nil, row)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	f(`{}`)
	f(`{"b":"1","a":"<é\"\\\n>"}`, store.Text{Column: "b", Text: "1"}, store.Text{Column: "a", Text: "<é\"\\\n>"})
	f(`{"a":"`+"\ufffd"+`"}`, store.Text{Column: "a", Text: "\xff"})
}
