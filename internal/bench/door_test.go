package bench

import (
	"encoding/xml"
	"net/url"
	"testing"
	"unicode/utf8"
)

func TestSOAPRequestIsWhatGSOAPSends(t *testing.T) {
	want := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" xmlns:ns1="urn:asterism:v1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"><SOAP-ENV:Body SOAP-ENV:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><ns1:GetCodecs><number xsi:type="xsd:string">+14155550123</number></ns1:GetCodecs></SOAP-ENV:Body></SOAP-ENV:Envelope>`
	if got := string(soap{}.appendBody(nil, "+14155550123")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCurlRequestIsWhatAsteriskSends(t *testing.T) {
	f := func(number, want string) {
		t.Helper()
		if got := string(curl{}.appendBody(nil, number)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	f("+14155550123", "number=%2B14155550123")
	f("a-_.!~*'()Z9", "number=a-_.!~*'()Z9")
	f("1;@ %é", "number=1%3B%40%20%25%C3%A9")
}

func TestCodecsOfASOAPAnswer(t *testing.T) {
	f := func(answer, want string) {
		t.Helper()
		if got := string(soap{}.appendCodecs(nil, []byte(answer))); got != want {
			t.Errorf("%s: got %q, want %q", answer, got, want)
		}
	}
	f(`<r><codec>ulaw</codec><codec>alaw</codec></r>`, "ulaw,alaw")
	f(`<a:r><a:codec>ulaw</a:codec><a:codec>alaw</a:codec></a:r>`, "ulaw,alaw")
	f(`<codec xsi:type="xsd:string">ulaw</codec>`, "ulaw")
	f("<a:codec\n>ulaw</a:codec >", "ulaw")
	f(`<codec/>`, "")
	f(`<codec/><codec>ulaw</codec><codec />`, ",ulaw,")
	f(`<codec>ulaw,alaw</codec>`, `ulaw\,alaw`)
	f(`<!-- <codec>ulaw</codec> --><codec>alaw</codec>`, "alaw")
	f(`<codecs>ulaw</codecs><xcodec>ulaw</xcodec><codec:x>ulaw</codec:x>`, "")
	f(`<codec`, "")
	f(`<codec>`, "")
	f(`<><!--`, "")
	f(``, "")
}

func TestCodecsOfACurlAnswer(t *testing.T) {
	f := func(answer, want string) {
		t.Helper()
		if got := string(curl{}.appendCodecs(nil, []byte(answer))); got != want {
			t.Errorf("%s: got %q, want %q", answer, got, want)
		}
	}
	f("number=%2B1&codecs=ulaw%2Calaw", "ulaw,alaw")
	f("codecs=ulaw%2calaw&number=1\n", "ulaw,alaw")
	f("codecs=ulaw,alaw\r\ncodecs=gsm", "ulaw,alaw")
	f("codecs=ulaw&codecs=alaw", "ulaw;alaw")
	f("codecs=&number=1", "")
	f("codecs=a+b%2", "a+b%2")
	f("codecs=%zz%", "%zz%")
	f("xcodecs=ulaw&codecsx=ulaw&codecs", "")
	f("", "")
}

func FuzzCurlNumberSurvives(f *testing.F) {
	f.Add("+14155550123")
	f.Add("&=%+ ;\x00\xff")
	f.Fuzz(func(t *testing.T, number string) {
		body := string(curl{}.appendBody(nil, number))
		if got, err := url.PathUnescape(body); err != nil || got != "number="+number {
			t.Errorf("%q became %q: %v", number, body, err)
		}
		answer := append([]byte("codecs="), body[len("number="):]...)
		if got := string(curl{}.appendCodecs(nil, answer)); got != number {
			t.Errorf("%q came back as %q", number, got)
		}
	})
}

// What encoding/xml writes is the oracle of what is read.
func FuzzSOAPCodecsAreRead(f *testing.F) {
	f.Add("ulaw", "alaw", "<codec>")
	f.Add("", "g722", "<!-- <codec/>")
	f.Fuzz(func(t *testing.T, first, second, rest string) {
		soap{}.appendCodecs(nil, []byte(rest)) // must only return
		for _, codec := range []string{first, second} {
			for _, c := range codec {
				if c == ',' || c < 0x20 || c == utf8.RuneError || c == '&' || c == '<' || c == '>' || c == '"' || c == '\'' || c >= 0xFFFE {
					return
				}
			}
		}
		answer, err := xml.Marshal(struct {
			XMLName struct{} `xml:"urn:asterism:v1 GetCodecsResponse"`
			Codec   []string `xml:"codec"`
		}{Codec: []string{first, second}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(soap{}.appendCodecs(nil, answer)), first+","+second; got != want {
			t.Errorf("%s: got %q, want %q", answer, got, want)
		}
	})
}
