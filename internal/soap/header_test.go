package soap

import (
	"errors"
	"strings"
	"testing"
)

// in12 is an envelope of SOAP 1.2 with the entries of a header.
func in12(entries, body string) string {
	return `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope">` +
		`<e:Header>` + entries + `</e:Header><e:Body>` + body + `</e:Body></e:Envelope>`
}

// in11 is the same in SOAP 1.1.
func in11(entries, body string) string {
	return strings.ReplaceAll(in12(entries, body), envelope12, envelope11)
}

func TestHeaderEntries(t *testing.T) {
	r := new(Request)
	f := func(body, want string) {
		t.Helper()
		got := "fine"
		var fault *Fault
		if err := r.Parse([]byte(body)); errors.As(err, &fault) {
			got = fault.Code.String() + " " + fault.HeaderSpace + " " + fault.HeaderName
		}
		if got != want {
			t.Errorf("got %s, want %s\n%s", got, want, body)
		}
		if !strings.Contains(body, `:e="`+r.Version.envelope()+`"`) {
			t.Errorf("version %d of\n%s", r.Version, body)
		}
	}
	entry := func(attributes string) string { return `<t:x xmlns:t="urn:t" ` + attributes + `>y<z/></t:x>` }
	both := func(attributes, want string) {
		t.Helper()
		f(in11(entry(attributes), question), want)
		f(in12(entry(attributes), question), want)
	}
	const not = "MustUnderstand urn:t x"
	both(``, "fine")
	both(`e:mustUnderstand="0"`, "fine")
	both(`e:mustUnderstand="false"`, "fine")
	both(`e:mustUnderstand="1"`, not)
	both(`e:mustUnderstand="true"`, not)
	both(`e:mustUnderstand=" true "`, not)
	both(`e:mustUnderstand="yes"`, "Client  ")
	both(`mustUnderstand="1"`, "fine")
	both(`o:mustUnderstand="1" xmlns:o="urn:o"`, "fine")
	both(`e:relay="true"`, "fine")

	// Each version has its own word for whom an entry is meant.
	f(in11(entry(`e:mustUnderstand="1" e:actor=""`), question), not)
	f(in11(entry(`e:actor="`+actorNext+`" e:mustUnderstand="1"`), question), not)
	f(in11(entry(`e:mustUnderstand="1" e:actor="urn:somebody"`), question), "fine")
	f(in11(entry(`e:mustUnderstand="1" e:role="urn:somebody"`), question), not)
	const role = "http://www.w3.org/2003/05/soap-envelope/role/"
	f(in12(entry(`e:mustUnderstand="1" e:role=""`), question), not)
	f(in12(entry(`e:role="`+role+`next" e:mustUnderstand="1"`), question), not)
	f(in12(entry(`e:mustUnderstand="1" e:role="`+role+`ultimateReceiver"`), question), not)
	f(in12(entry(`e:mustUnderstand="1" e:role="`+role+`none"`), question), "fine")
	f(in12(entry(`e:mustUnderstand="1" e:role="urn:somebody"`), question), "fine")
	f(in12(entry(`e:mustUnderstand="1" e:actor="urn:somebody"`), question), not)

	// The first that is not understood is named.
	f(in12(entry(``)+`<a:b xmlns:a="urn:a" e:mustUnderstand="1"/>`+entry(`e:mustUnderstand="1"`), question), "MustUnderstand urn:a b")
}
