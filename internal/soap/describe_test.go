package soap

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestTheDescriptionSendsClientsWhereTheyCameFrom unless the operator says otherwise.
func TestTheDescriptionSendsClientsWhereTheyCameFrom(t *testing.T) {
	door := doorOf(t, 1)
	f := func(publicURL, want string, call Call) {
		t.Helper()
		door.PublicURL = publicURL
		call.Get, call.Query = true, []byte("wsdl")
		answer := door.Answer(t.Context(), nil, call)
		if got := strings.Count(string(answer.Body), `location="`+want+`"`); got != 2 || answer.Status != 200 {
			t.Errorf("%+v: %d and %d addresses %s, want 2\n%s", call, answer.Status, got, want, answer.Body)
		}
	}
	host := []byte("dir.example.net:8640")
	f("", "http://dir.example.net:8640/soap", Call{Host: host})
	f("", "https://dir.example.net:8640/soap", Call{Host: host, Secure: true})
	f("https://pbx.example.net/soap", "https://pbx.example.net/soap", Call{Host: host})
	f("http://pbx.example.net/soap", "http://pbx.example.net/soap", Call{Host: host, Secure: true})
	f("", addressInDescription, Call{}) // HTTP/1.0 needs no Host
	f("", "http://a&quot;b&lt;c/soap", Call{Host: []byte(`a"b<c`)})
}

// TestTheModuleIsBuiltFromThisDescription: the native module's folder has its own copy,
// so that it builds without a node.
func TestTheModuleIsBuiltFromThisDescription(t *testing.T) {
	copied, err := os.ReadFile("../../asterisk/asterism.wsdl")
	if err != nil {
		t.Fatal(err)
	}
	if served := AppendWSDL(nil, addressInDescription); !bytes.Equal(copied, served) {
		t.Error("asterisk/asterism.wsdl is not what a node serves: cp internal/soap/asterism.wsdl asterisk/")
	}
}
