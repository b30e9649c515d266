package server

import (
	"strings"
	"testing"
)

const getCodecs = soapOpen + `<GetCodecs xmlns="urn:asterism:v1"><number>+14155550123</number></GetCodecs>` + soapClose

// getCodecs12 is the same in SOAP 1.2.
var getCodecs12 = strings.Replace(getCodecs, soap11[1], soap12[1], 1)

const getCodecsSays = "GetCodecsResponse <codec>g722</codec>"

func TestContentTypesAndActions(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (number, codecs) VALUES ('+14155550123', 'g722')`)
	f := func(version [2]string, header, body string) {
		t.Helper()
		if got := saidIn(t, version, s.raw(t, call(header, body))); got != getCodecsSays {
			t.Errorf("%s\nanswers %s, want %s", header, got, getCodecsSays)
		}
	}
	const action = "urn:asterism:v1#GetCodecs"
	f(soap11, "Content-Type: text/xml; charset=utf-8\r\nSOAPAction: \""+action+"\"\r\n", getCodecs)
	f(soap11, "Content-Type: text/xml\r\n", getCodecs)
	f(soap11, "Content-Type: text/xml\r\nSOAPAction: \"\"\r\n", getCodecs)
	f(soap11, "Content-Type: text/xml\r\nSOAPAction:\r\n", getCodecs)
	f(soap11, "Content-Type: text/xml\r\nSOAPAction: "+action+"\r\n", getCodecs)
	f(soap11, "content-type: TEXT/XML;charset=\"utf-8\"\r\nsoapaction: \""+action+"\"\r\n", getCodecs)
	f(soap11, "", getCodecs)
	f(soap12, "Content-Type: application/soap+xml; charset=utf-8; action=\""+action+"\"\r\n", getCodecs12)
	f(soap12, "Content-Type: application/soap+xml;charset=UTF-8;action="+action+"\r\n", getCodecs12)
	f(soap12, "Content-Type: application/soap+xml; action=\"\"\r\n", getCodecs12)
	f(soap12, "Content-Type: application/soap+xml\r\nSOAPAction: \"\"\r\n", getCodecs12)
	f(soap12, "Content-Type: application/soap+xml\r\nSOAPAction: "+action+"\r\n", getCodecs12)
	f(soap12, "Content-Type: application/soap+xml\r\n", getCodecs12)
	f(soap12, "", getCodecs12)
	// The envelope decides, never the type that it was announced as.
	f(soap12, "Content-Type: text/xml; charset=utf-8\r\nSOAPAction: \""+action+"\"\r\n", getCodecs12)
	f(soap11, "Content-Type: application/soap+xml; charset=utf-8\r\n", getCodecs)
}

// TestAnActionThatNamesAnotherOperation is a fault: dispatch is by the element.
func TestAnActionThatNamesAnotherOperation(t *testing.T) {
	t.Parallel()
	s := start(t, testConfig(t))
	f := func(version [2]string, code, header, body, action string) {
		t.Helper()
		got := saidIn(t, version, s.raw(t, call(header, body)))
		if !strings.HasPrefix(got, code) || !strings.Contains(got, action) || !strings.Contains(got, "urn:asterism:v1#GetCodecs") {
			t.Errorf("%s\nanswers %s, want %s and both actions", header, got, code)
		}
	}
	for _, action := range []string{"urn:asterism:v1#LookupNumber", "urn:other#GetCodecs", "GetCodecs"} {
		f(soap11, "SOAP-ENV:Client: SOAPAction", "Content-Type: text/xml\r\nSOAPAction: \""+action+"\"\r\n", getCodecs, action)
		f(soap12, "SOAP-ENV:Sender: SOAPAction", "Content-Type: application/soap+xml\r\nSOAPAction: \""+action+"\"\r\n", getCodecs12, action)
		f(soap12, "SOAP-ENV:Sender: the action", "Content-Type: application/soap+xml; action=\""+action+"\"\r\n", getCodecs12, action)
		f(soap12, "SOAP-ENV:Sender: the action", "Content-Type: application/soap+xml; action="+action+"\r\nSOAPAction: urn:asterism:v1#GetCodecs\r\n", getCodecs12, action)
		f(soap11, "SOAP-ENV:Client: the action", "Content-Type: text/xml; action="+action+"\r\n", getCodecs, action)
	}
}

// TestPackagedCalls: one part is answered as plain. More are refused as such: the body
// is no XML, but saying so would send a person looking for a mistake in the envelope.
func TestPackagedCalls(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (number, codecs) VALUES ('+14155550123', 'g722')`)
	const related12 = `multipart/related; type="application/xop+xml"; boundary=b; start="<a>"; start-info="application/soap+xml"`
	part := func(kind, body string) string {
		return "--b\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: binary\r\nContent-Type: " + kind + "\r\n\r\n" + body + "\r\n"
	}
	plain := func(version [2]string, kind, body string) {
		t.Helper()
		if got := saidIn(t, version, s.raw(t, call("Content-Type: "+kind+"\r\nMIME-Version: 1.0\r\n", body))); got != getCodecsSays {
			t.Errorf("%s answers %s, want %s", kind, got, getCodecsSays)
		}
	}
	plain(soap12, related12, part(`application/xop+xml; charset=UTF-8; type="application/soap+xml"`, getCodecs12)+"--b--\r\n")
	plain(soap11, `Multipart/Related; type="text/xml"; boundary="b"`, part("text/xml; charset=UTF-8", getCodecs)+"--b--\r\n")
	refused := func(kind, body string) {
		t.Helper()
		got := s.raw(t, call("Content-Type: "+kind+"\r\n", body))
		if got.status != 415 || got.header.Get("Content-Type") != "text/plain; charset=utf-8" || !strings.Contains(got.body, "text/xml") || strings.Contains(got.body, "<") {
			t.Errorf("%s answers %d %q, want 415 and a line that names text/xml", kind, got.status, got.body)
		}
	}
	refused(related12, part("text/xml", getCodecs12)+"--b\r\nContent-ID: <b>\r\n\r\nx\r\n--b--\r\n")
	refused(related12, part("text/xml", getCodecs12))
	refused(`multipart/form-data; boundary=b`, part("text/xml", getCodecs)+"--b--\r\n")
}

func TestTheDescriptionOfTheService(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	s := start(t, cfg)
	f := func(target string, status int, kind string, words ...string) {
		t.Helper()
		got := s.raw(t, asked(target))
		if got.status != status || got.header.Get("Content-Type") != kind {
			t.Errorf("%s answers %d %s, want %d %s", target, got.status, got.header.Get("Content-Type"), status, kind)
		}
		for _, word := range words {
			times := 1
			if strings.HasPrefix(word, "location") {
				times = 2 // both ports
			}
			if strings.Count(got.body, word) < times {
				t.Errorf("%s answers without %d times %q", target, times, word)
			}
		}
	}
	f("/soap?wsdl", 200, "text/xml; charset=utf-8", `location="http://dir.example.net:8640/soap"`, `targetNamespace="urn:asterism:v1"`)
	f("/soap?WSDL", 200, "text/xml; charset=utf-8", `location="http://dir.example.net:8640/soap"`)
	f("/soap", 405, "text/plain; charset=utf-8", "?wsdl")
	public := testConfig(t)
	public.Asterisk.PublicURL = "https://dir.example.net/soap"
	s = start(t, public)
	f("/soap?wsdl", 200, "text/xml; charset=utf-8", `location="https://dir.example.net/soap"`)
}
