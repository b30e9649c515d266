package server

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
)

// call is a SOAP request as it goes over the wire; header has one line each.
func call(header, body string) string {
	return "POST /soap HTTP/1.1\r\nHost: dir.example.net:8640\r\n" + header + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body
}

const (
	plainHeader = "Content-Type: text/xml; charset=utf-8\r\nSOAPAction: \"\"\r\n"
	soapOpen    = `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>`
	soapClose   = `</soap:Body></soap:Envelope>`
)

// envelope is an answer in either version.
type envelope struct {
	XMLName xml.Name
	Body    struct {
		Fault *struct {
			XMLName xml.Name
			Code11  string `xml:"faultcode"`
			Text11  string `xml:"faultstring"`
			Code12  string `xml:"Code>Value"`
			Text12  string `xml:"Reason>Text"`
		} `xml:"Fault"`
		Response struct {
			XMLName  xml.Name
			Instance string `xml:"urn:asterism:v1 instance"`
			Revision uint64 `xml:"urn:asterism:v1 revision"`
			Inner    string `xml:",innerxml"`
		} `xml:",any"`
	} `xml:"Body"`
}

// The Content-Type and the namespace of each version of SOAP.
var (
	soap11 = [2]string{"text/xml; charset=utf-8", "http://schemas.xmlsoap.org/soap/envelope/"}
	soap12 = [2]string{"application/soap+xml; charset=utf-8", "http://www.w3.org/2003/05/soap-envelope"}
)

// said gives what an answer in SOAP 1.1 says: the content of the response behind its
// instance and revision, or the fault.
func said(t *testing.T, a answer) string {
	t.Helper()
	return saidIn(t, soap11, a)
}

// saidIn is said for a version; all of the answer must be of that one.
func saidIn(t *testing.T, version [2]string, a answer) string {
	t.Helper()
	var e envelope
	if err := xml.Unmarshal([]byte(a.body), &e); err != nil {
		t.Fatalf("an answer that is no SOAP: %v\n%s", err, a.body)
	}
	if kind := a.header.Get("Content-Type"); kind != version[0] || e.XMLName.Space != version[1] {
		t.Errorf("the answer is %q with an envelope in %s, want %s", kind, e.XMLName.Space, version)
	}
	if fault := e.Body.Fault; fault != nil {
		status, mixed := 500, fault.Code12+fault.Text12
		if version == soap12 {
			mixed = fault.Code11 + fault.Text11
		}
		if fault.Code12 == "SOAP-ENV:Sender" {
			status = 400
		}
		if a.status != status || mixed != "" || fault.XMLName.Space != version[1] {
			t.Errorf("a fault with HTTP status %d, want %d, and of the other version %q\n%s", a.status, status, mixed, a.body)
		}
		return fault.Code11 + fault.Code12 + ": " + fault.Text11 + fault.Text12
	}
	response := e.Body.Response
	if a.status != 200 || response.Instance == "" || response.Revision == 0 {
		t.Errorf("answer %d of instance %q, revision %d", a.status, response.Instance, response.Revision)
	}
	_, content, _ := strings.Cut(response.Inner, "</revision>")
	return response.XMLName.Local + " " + content
}

func TestTheSameCallInFourSpellings(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (number, codecs) VALUES ('+14155550123', 'g722,ulaw,alaw')`)
	f := func(body string) {
		t.Helper()
		got := said(t, s.raw(t, call(plainHeader, body)))
		if want := "GetCodecsResponse <codec>g722</codec><codec>ulaw</codec><codec>alaw</codec>"; got != want {
			t.Errorf("%s\nanswers %s, want %s", body, got, want)
		}
	}
	f(`<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" xmlns:ns1="urn:asterism:v1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><SOAP-ENV:Body SOAP-ENV:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><ns1:GetCodecs><number xsi:type="xsd:string">+14155550123</number></ns1:GetCodecs></SOAP-ENV:Body></SOAP-ENV:Envelope>`)
	f(soapOpen + `<GetCodecs xmlns="urn:asterism:v1"><number>+14155550123</number></GetCodecs>` + soapClose)
	f(soapOpen + `<d:GetCodecs xmlns:d="urn:asterism:v1"><d:number>+14155550123</d:number></d:GetCodecs>` + soapClose)
	f(`<?xml version="1.0"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:urn="urn:asterism:v1"><!-- a --><soapenv:Header/><soapenv:Body><!-- b --><urn:GetCodecs><urn:number><![CDATA[+1415555]]>0123</urn:number></urn:GetCodecs></soapenv:Body></soapenv:Envelope>`)
	// From another toolkit: references, single quotes, blanks, a mark at the front.
	f("\uFEFF" + strings.ReplaceAll(soapOpen, `"`, `'`) + "\r\n <GetCodecs xmlns = 'urn:asterism:v1' >\n<number>&#43;1&#x34;155550123</number >\n</GetCodecs> " + soapClose + "\n")
}

func TestCallsThatAreFaults(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (number, codecs) VALUES ('secret', 'g722')`)
	f := func(body string, words ...string) {
		t.Helper()
		got := said(t, s.raw(t, call(plainHeader, body)))
		for _, word := range words {
			if !strings.Contains(got, word) {
				t.Errorf("%s\nanswers %s, want %q in it", body, got, word)
			}
		}
	}
	f(soapOpen+`<GetCodecs xmlns="urn:other"><number>1</number></GetCodecs>`+soapClose, "Client: ", "urn:other", "urn:asterism:v1")
	f(soapOpen+`<GetCodecs><number>1</number></GetCodecs>`+soapClose, "Client: ", "urn:asterism:v1")
	f(`<!DOCTYPE a [<!ENTITY n "secret">]>`+soapOpen+`<GetCodecs xmlns="urn:asterism:v1"><number>&n;</number></GetCodecs>`+soapClose, "Client: ", "DOCTYPE")
	f(soapOpen+`<GetCodecs xmlns="urn:asterism:v1"><number>&n;</number></GetCodecs>`+soapClose, "Client: ")
	f(soapOpen+`<Nosuch xmlns="urn:asterism:v1"/>`+soapClose, "Client: ", "Nosuch", "GetCodecs")
	f(soapOpen+soapClose, "Client: ")
	f("", "Client: ")
	f("id=6001", "Client: ")
	f(strings.Repeat("<a>", 100_000), "Client: ")
}
