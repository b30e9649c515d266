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

// said gives what a SOAP answer says: the content of the response behind its
// instance and revision, or the fault.
func said(t *testing.T, a answer) string {
	t.Helper()
	var envelope struct {
		Body struct {
			Fault *struct {
				Code string `xml:"faultcode"`
				Text string `xml:"faultstring"`
			} `xml:"http://schemas.xmlsoap.org/soap/envelope/ Fault"`
			Response struct {
				XMLName  xml.Name
				Instance string `xml:"urn:asterism:v1 instance"`
				Revision uint64 `xml:"urn:asterism:v1 revision"`
				Inner    string `xml:",innerxml"`
			} `xml:",any"`
		} `xml:"http://schemas.xmlsoap.org/soap/envelope/ Body"`
	}
	if err := xml.Unmarshal([]byte(a.body), &envelope); err != nil {
		t.Fatalf("an answer that is no SOAP: %v\n%s", err, a.body)
	}
	if kind := a.header.Get("Content-Type"); kind != "text/xml; charset=utf-8" {
		t.Errorf("the answer is %q", kind)
	}
	if fault := envelope.Body.Fault; fault != nil {
		if a.status != 500 {
			t.Errorf("a fault with HTTP status %d, want 500", a.status)
		}
		return fault.Code + ": " + fault.Text
	}
	response := envelope.Body.Response
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
