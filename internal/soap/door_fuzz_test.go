package soap

import (
	"encoding/binary"
	"encoding/xml"
	"strings"
	"testing"
)

// FuzzAnswer holds that whatever comes, the door answers one envelope of the version that it announces, or the line
// of text that a package is refused with.
func FuzzAnswer(f *testing.F) {
	for _, body := range everyOperation() {
		f.Add(type11, `""`, []byte(body))
		f.Add(type12, "", []byte(strings.Replace(body, envelope11, envelope12, 1)))
	}
	f.Add("text/xml; charset=utf-16", "", []byte(utf16Of(in12("", question0), binary.LittleEndian)))
	f.Add("", "", []byte(utf16Of("\uFEFF"+in11("", question0), binary.BigEndian)))
	f.Add("text/xml", "", []byte(lookup(declare("windows-1252"), "\x80")))
	f.Add(type11, "urn:asterism:v1#LookupNumber", []byte(in11("", question0)))
	f.Add(type12, "", []byte(in12(`<t:x xmlns:t="urn:t" e:mustUnderstand="1"/>`, question0)))
	f.Add(related11, "", []byte(packaged(root11+in11("", question0))))
	f.Add(related12, "", []byte(packaged(root12+in12("", question0), "\r\nx")))
	door := doorOf(f, 1)
	f.Fuzz(func(t *testing.T, contentType, action string, body []byte) {
		answer := door.say(contentType, action, string(body))
		version := SOAP11
		switch {
		case answer.Status == 415 && answer.ContentType == "text/plain; charset=utf-8":
			if !strings.HasSuffix(string(answer.Body), unpackaged+"\n") {
				t.Fatalf("a refusal that does not say what to do: %q", answer.Body)
			}
			return
		case answer.ContentType == contentType12:
			version = SOAP12
		case answer.ContentType != contentType11:
			t.Fatalf("an answer of type %q", answer.ContentType)
		}
		checkEnvelope(t, answer, version)
	})
}

// checkEnvelope compares an answer with what its status and version promise.
func checkEnvelope(t *testing.T, answer Answer, version Version) {
	t.Helper()
	var envelope struct {
		XMLName xml.Name
		Body    []struct {
			Content []struct {
				XMLName xml.Name
			} `xml:",any"`
		} `xml:"Body"`
	}
	if _, err := oracleTrace(answer.Body); err != nil {
		t.Fatalf("a malformed answer: %v\n%q", err, answer.Body)
	}
	if err := xml.Unmarshal(answer.Body, &envelope); err != nil {
		t.Fatalf("%v\n%q", err, answer.Body)
	}
	if envelope.XMLName != (xml.Name{Space: version.envelope(), Local: "Envelope"}) || len(envelope.Body) != 1 || len(envelope.Body[0].Content) != 1 {
		t.Fatalf("not one envelope of version %d with one element in its body\n%q", version, answer.Body)
	}
	content := envelope.Body[0].Content[0].XMLName
	fault := xml.Name{Space: version.envelope(), Local: "Fault"}
	switch {
	case answer.Status == 200 && content.Space == Namespace:
	case answer.Status == 500 && content == fault:
	case answer.Status == 400 && content == fault && version == SOAP12:
	default:
		t.Fatalf("status %d with %v\n%q", answer.Status, content, answer.Body)
	}
}
