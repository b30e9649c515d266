package server

import (
	"strings"
	"testing"
)

const getCodecs = soapOpen + `<GetCodecs xmlns="urn:asterism:v1"><number>+14155550123</number></GetCodecs>` + soapClose

func TestContentTypesAndActions(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (number, codecs) VALUES ('+14155550123', 'g722')`)
	f := func(header, want string) {
		t.Helper()
		if got := said(t, s.raw(t, call(header, getCodecs))); got != want {
			t.Errorf("%s\nanswers %s, want %s", header, got, want)
		}
	}
	const codecs = "GetCodecsResponse <codec>g722</codec>"
	f("Content-Type: text/xml; charset=utf-8\r\nSOAPAction: \"urn:asterism:v1#GetCodecs\"\r\n", codecs)
	f("Content-Type: text/xml\r\n", codecs)
	f("Content-Type: text/xml\r\nSOAPAction: \"\"\r\n", codecs)
	f("Content-Type: text/xml\r\nSOAPAction:\r\n", codecs)
	f("Content-Type: text/xml\r\nSOAPAction: urn:asterism:v1#GetCodecs\r\n", codecs)
	f("content-type: TEXT/XML;charset=\"utf-8\"\r\nsoapaction: \"urn:asterism:v1#GetCodecs\"\r\n", codecs)
	f("", codecs)
	// Dispatch is by the element; an action that names another one is a fault.
	for _, action := range []string{"urn:asterism:v1#LookupNumber", "urn:other#GetCodecs", "GetCodecs"} {
		got := said(t, s.raw(t, call("Content-Type: text/xml\r\nSOAPAction: \""+action+"\"\r\n", getCodecs)))
		if !strings.HasPrefix(got, "SOAP-ENV:Client: ") || !strings.Contains(got, action) || !strings.Contains(got, "urn:asterism:v1#GetCodecs") {
			t.Errorf("SOAPAction %s answers %s, want a Client fault that names both", action, got)
		}
	}
}

// TestMIMEPackagingIsRefusedAsSuch: the body is no XML, but saying so of it would
// send a person looking for a mistake in the envelope.
func TestMIMEPackagingIsRefusedAsSuch(t *testing.T) {
	t.Parallel()
	s := start(t, testConfig(t))
	f := func(kind string) {
		t.Helper()
		got := s.raw(t, call("Content-Type: "+kind+"\r\n", "--b\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\n\r\n"+getCodecs+"\r\n--b--\r\n"))
		if got.status != 415 || !strings.Contains(got.body, "text/xml") || strings.Contains(got.body, "<") {
			t.Errorf("%s answers %d %q, want 415 and a line that names text/xml", kind, got.status, got.body)
		}
	}
	f(`multipart/related; type="application/xop+xml"; boundary=b; start-info="text/xml"`)
	f(`Multipart/Related; boundary=b`)
	f(`multipart/form-data; boundary=b`)
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
			if !strings.Contains(got.body, word) {
				t.Errorf("%s answers without %q", target, word)
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
