package soap

import (
	"strings"
	"testing"
)

const (
	question = `<GetCodecs xmlns="urn:asterism:v1"><number>1</number></GetCodecs>`
	open11   = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/">`
	close11  = `</e:Envelope>`
)

func TestEnvelopesThatAreAccepted(t *testing.T) {
	f := func(body string) {
		t.Helper()
		r := new(Request)
		if err := r.Parse([]byte(body)); err != nil {
			t.Errorf("%v\n%s", err, body)
		} else if got, want := describe(r), `GetCodecs number="1"`; got != want {
			t.Errorf("got %s, want %s\n%s", got, want, body)
		}
	}
	body := `<e:Body>` + question + `</e:Body>`
	f(open11 + body + close11)
	f(open11 + `<e:Header/>` + body + close11)
	f("\uFEFF<?xml version='1.0'?>\n<!-- a -->" + open11 + "\n <e:Header>\n </e:Header>\n " + body + "\n" + close11 + "\n<!-- b -->\n")
	f(open11 + `<e:Header><t:x xmlns:t="urn:t">y<z/></t:x></e:Header>` + body + close11)
	f(open11 + "<e:Body e:encodingStyle='http://schemas.xmlsoap.org/soap/encoding/' id='b'>\r\n" + question + "</e:Body>" + close11)
	f(`<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body>` + question + `</Body></Envelope>`)
}

func TestEnvelopeFaults(t *testing.T) {
	const list = "GetCodecs, LookupNumber, RealtimeSingle, RealtimeMulti, RealtimeUpdate, RealtimeStore, " +
		"RealtimeDestroy, RealtimeRequire, RealtimeStatic, Watch"
	f := func(body string, code Code, want string) {
		t.Helper()
		if fault := faultOf(t, body); fault.Code != code || fault.Text != want {
			t.Errorf("got  %s: %s\nwant %s: %s\n%s", fault.Code, fault.Text, code, want, body)
		}
	}
	envelope := func(content string) string { return open11 + content + close11 }
	inBody := func(content string) string { return envelope("<e:Body>" + content + "</e:Body>") }

	f(``, Client, "the request cannot be read as XML, at byte 0: the document has no element")
	f(`<!DOCTYPE a>`+inBody(question), Client, "the request cannot be read as XML, at byte 0: a DOCTYPE is not accepted")
	f(`<html/>`, Client, "the document must be a SOAP Envelope, but it is html in no namespace")
	const mismatch = `the Envelope must be in namespace "http://schemas.xmlsoap.org/soap/envelope/" (SOAP 1.1) or ` +
		`"http://www.w3.org/2003/05/soap-envelope" (SOAP 1.2), but it is in `
	f(`<e:Envelope xmlns:e="http://www.w3.org/2001/12/soap-envelope"/>`, VersionMismatch, mismatch+`"http://www.w3.org/2001/12/soap-envelope"`)
	f(`<Envelope/>`, VersionMismatch, mismatch+"no namespace")
	f(strings.Replace(open11, envelope11, envelope12, 1)+`<b:Body xmlns:b="http://schemas.xmlsoap.org/soap/envelope/"/>`+close11, Client,
		`the Envelope must hold a Body, but there is Body in "http://schemas.xmlsoap.org/soap/envelope/"`)
	f(envelope(``), Client, "the Envelope has no Body")
	f(envelope(`<e:Header/>`), Client, "the Envelope has no Body")
	f(envelope(`<Body/>`), Client, "the Envelope must hold a Body, but there is Body in no namespace")
	f(envelope(`<e:Header/><e:Header/>`), Client,
		`the Envelope must hold a Body, but there is Header in "http://schemas.xmlsoap.org/soap/envelope/"`)
	f(envelope(`<e:Body>`+question+`</e:Body><x/>`), Client, "nothing may follow the Body, but there is x in no namespace")
	f(envelope(`x<e:Body>`+question+`</e:Body>`), Client, "Envelope holds elements, but there is text between them")
	f(envelope(`<e:Header>x</e:Header><e:Body>`+question+`</e:Body>`), Client,
		"Header holds elements, but there is text between them")

	f(inBody(``), Client, "the Body is empty; it must hold one of "+list)
	f(inBody(`x`), Client, "Body holds elements, but there is text between them")
	f(inBody(question+question), Client,
		`the Body must hold one element, but after GetCodecs there is GetCodecs in "urn:asterism:v1"`)
	f(inBody(`<o:GetCodecs xmlns:o="urn:other"/>`), Client,
		`the element GetCodecs must be in namespace "urn:asterism:v1", but it is in "urn:other"`)
	f(inBody(`<GetCodecs/>`), Client, `the element GetCodecs must be in namespace "urn:asterism:v1", but it is in no namespace`)
	f(inBody(`<Wach xmlns="urn:asterism:v1"/>`), Client, "there is no operation Wach; there are "+list)
	f(inBody(`<none xmlns="urn:asterism:v1"/>`), Client, "there is no operation none; there are "+list)
	f(inBody(question)+`<x/>`, Client,
		"the request cannot be read as XML, at byte 159: more markup after the end of the document element")
	f(inBody(`<x xmlns="`+strings.Repeat("u", 300)+`"/>`), Client,
		`the element x must be in namespace "urn:asterism:v1", but it is in "`+strings.Repeat("u", 200)+`..."`)
}
