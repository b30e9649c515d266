package soap

import (
	"fmt"
	"strings"
	"testing"
)

func TestContentTypesTakenApart(t *testing.T) {
	f := func(header, want string) {
		t.Helper()
		m := parseMediaType([]byte(header))
		var got strings.Builder
		got.WriteString(string(m.kind))
		for _, p := range []struct {
			name  string
			value []byte
		}{{"charset", m.charset}, {"action", m.action}, {"boundary", m.boundary}, {"start", m.start}, {"type", m.root}, {"info", m.startInfo}} {
			if p.value != nil {
				got.WriteString(fmt.Sprintf(" %s=%s", p.name, p.value))
			}
		}
		if got.WriteString(fmt.Sprint(" ", m.version())); got.String() != want {
			t.Errorf("%s: got %s, want %s", header, got.String(), want)
		}
	}
	f(``, " 0")
	f(`text/xml`, "text/xml 0")
	f(` text/xml ; charset=utf-8`, "text/xml charset=utf-8 0")
	f(`TEXT/XML;CHARSET="utf-8"`, "TEXT/XML charset=utf-8 0")
	f(`application/soap+xml; charset=utf-8; action="urn:asterism:v1#GetCodecs"`, "application/soap+xml charset=utf-8 action=urn:asterism:v1#GetCodecs 1")
	f(`application/soap+xml;action=urn:asterism:v1#GetCodecs;charset=utf-8`, "application/soap+xml charset=utf-8 action=urn:asterism:v1#GetCodecs 1")
	f(`Application/SOAP+XML; action=""`, "Application/SOAP+XML action= 1")
	f(`a/b; charset = "x" ; action = y `, "a/b charset=x action=y 0")
	f(`a/b; action="x;charset=y"; charset=z`, "a/b charset=z action=x;charset=y 0")
	f(`a/b; action="x\"y\\z"; charset=w`, `a/b charset=w action=x"y\z 0`)
	f(`a/b; charset=x; charset=y`, "a/b charset=x 0")
	f(`a/b; nosuch=x; charset`, "a/b 0")
	f(`a/b;;; charset;charset=x`, "a/b charset=x 0")
	f(`a/b; charset="x`, "a/b charset=x 0")
	f(`a/b; charset="x\`, `a/b charset=x\ 0`)
	f(`a/b; charset="x"y;action=z`, "a/b charset=x action=z 0")
	f(`;charset=x`, " charset=x 0")
	f(`multipart/related; type="application/xop+xml"; start="<r>"; start-info="application/soap+xml; action=x"; boundary=b`,
		"multipart/related boundary=b start=<r> type=application/xop+xml info=application/soap+xml; action=x 1")
	f(`multipart/related; type="application/soap+xml"; boundary=b`, "multipart/related boundary=b type=application/soap+xml 1")
	f(`multipart/related; type="text/xml"; boundary=b`, "multipart/related boundary=b type=text/xml 0")
	f(`application/xop+xml; type="application/soap+xml"`, "application/xop+xml type=application/soap+xml 1")
}
