package soap

import (
	"strings"
	"testing"
)

const (
	type11    = "text/xml; charset=utf-8"
	type12    = "application/soap+xml; charset=utf-8"
	question0 = `<GetCodecs xmlns="urn:asterism:v1"><number>100000</number></GetCodecs>`
)

// TestAnAnswerHasTheVersionOfItsEnvelope whatever the Content-Type says.
func TestAnAnswerHasTheVersionOfItsEnvelope(t *testing.T) {
	door := doorOf(t, 1)
	f := func(contentType, body string, version Version) {
		t.Helper()
		got := door.say(contentType, "", body)
		begin := version.begin() + `<GetCodecsResponse xmlns="urn:asterism:v1">`
		if got.Status != 200 || got.ContentType != version.ContentType() || !strings.HasPrefix(string(got.Body), begin) {
			t.Errorf("%s: %d %s\n%s\nwant version %d", contentType, got.Status, got.ContentType, got.Body, version)
		}
	}
	for _, contentType := range []string{"", "text/xml", type11, type12, "APPLICATION/SOAP+XML", "application/xop+xml", "text/plain", ";", "x"} {
		f(contentType, in11("", question0), SOAP11)
		f(contentType, in12("", question0), SOAP12)
	}
	// encodingStyle is passed over in both.
	f(type12, `<e:Envelope xmlns:e="`+envelope12+`" e:encodingStyle="http://www.w3.org/2003/05/soap-encoding"><e:Body e:encodingStyle="">`+
		question0+`</e:Body></e:Envelope>`, SOAP12)
}

// TestTheVersionOfAFault goes by the envelope as soon as there is one, and by the Content-Type before.
func TestTheVersionOfAFault(t *testing.T) {
	door := doorOf(t, 1)
	f := func(contentType, body string, version Version, status int, code, text string) {
		t.Helper()
		got := door.say(contentType, "", body)
		if got.Status != status || got.ContentType != version.ContentType() ||
			!strings.Contains(string(got.Body), `SOAP-ENV="`+version.envelope()+`">`) ||
			!strings.Contains(string(got.Body), ">SOAP-ENV:"+code+"</") || !strings.Contains(string(got.Body), text) {
			t.Errorf("%s %.200s\nanswers %d %s\n%s\nwant %d %s %s in version %d", contentType, body, got.Status,
				got.ContentType, got.Body, status, code, text, version)
		}
	}
	// Nothing that could be read.
	for _, body := range []string{"", "x", "<", "<a", "\xff", `<!DOCTYPE a>`, "<?xml version='1.1'?>"} {
		f("", body, SOAP11, 500, "Client", "cannot be read as XML")
		f(type11, body, SOAP11, 500, "Client", "cannot be read as XML")
		f(type12, body, SOAP12, 400, "Sender", "cannot be read as XML")
		f("application/soap+xml", body, SOAP12, 400, "Sender", "cannot be read as XML")
		f(`application/xop+xml; type="application/soap+xml"`, body, SOAP12, 400, "Sender", "cannot be read as XML")
	}
	// An envelope of neither version.
	const other = `<Envelope xmlns="http://www.w3.org/2001/12/soap-envelope"/>`
	f(type11, other, SOAP11, 500, "VersionMismatch", `SupportedEnvelope qname="a:Envelope"`)
	f(type12, other, SOAP12, 500, "VersionMismatch", `SupportedEnvelope qname="b:Envelope"`)
	f(type11, `<html/>`, SOAP11, 500, "Client", "html in no namespace")
	f(type12, `<html/>`, SOAP12, 500, "VersionMismatch", "html in no namespace")
	// An envelope, and then something wrong: bytes, limits, names, headers.
	wrong := func(content, code11, code12 string, status12 int, text string) {
		t.Helper()
		f(type12, in11("", content), SOAP11, 500, code11, text)
		f(type11, in12("", content), SOAP12, status12, code12, text)
	}
	wrong("\xff", "Client", "Sender", 400, "bytes that are not UTF-8")
	wrong("<x", "Client", "Sender", 400, "cannot be read as XML")
	wrong(`<GetCodecs xmlns="urn:asterism:v1"><number>`+strings.Repeat("1", MaxText+1)+`</number></GetCodecs>`, "Client", "Sender", 400, "too long")
	wrong(`<GetCodecs xmlns="urn:asterism:v1">`, "Client", "Sender", 400, "GetCodecs")
	wrong(`<Nosuch xmlns="urn:asterism:v1"/>`, "Client", "Sender", 400, "Nosuch")
	wrong(`<RealtimeSingle xmlns="urn:asterism:v1"><family>nosuch</family></RealtimeSingle>`, "Client", "Sender", 400, "nosuch")
	door.hungUp = true
	wrong(`<RealtimeStore xmlns="urn:asterism:v1"><family>ps_aors</family><field><name>id</name><value>1</value></field></RealtimeStore>`,
		"Server", "Receiver", 500, "hung up")
	for limit, entries := range map[string]string{
		"nested too deeply": strings.Repeat("<x>", 100), "too many elements": strings.Repeat("<x/>", 5000),
		"name is too long": "<" + strings.Repeat("x", 300) + "/>",
	} {
		f(type12, in11(entries, question0), SOAP11, 500, "Client", limit)
		f(type11, in12(entries, question0), SOAP12, 400, "Sender", limit)
	}
	f(type11, in12(`<t:x xmlns:t="urn:t" e:mustUnderstand="1"/>`, question0), SOAP12, 500, "MustUnderstand",
		`<SOAP-ENV:NotUnderstood qname="h:x" xmlns:h="urn:t"/>`)
}
