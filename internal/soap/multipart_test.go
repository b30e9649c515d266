package soap

import (
	"strings"
	"testing"
)

// packaged is a package with the boundary b; each part is its headers, an empty line and its content.
func packaged(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString("--b\r\n" + part + "\r\n")
	}
	return b.String() + "--b--\r\n"
}

const (
	related11 = `multipart/related; boundary=b; type="text/xml"; start="<root>"`
	related12 = `multipart/related; boundary="b"; type="application/xop+xml"; start="<root>"; start-info="application/soap+xml"`
	root11    = "Content-Type: text/xml; charset=UTF-8\r\nContent-ID: <root>\r\n\r\n"
	root12    = "Content-Type: application/xop+xml; charset=UTF-8; type=\"application/soap+xml\"\r\nContent-Transfer-Encoding: binary\r\nContent-ID: <root>\r\n\r\n"
	bare12    = "Content-Type: application/soap+xml; action=\"urn:asterism:v1#GetCodecs\"\r\n\r\n"
)

func TestAPackageWithoutAttachmentsIsAnsweredAsPlain(t *testing.T) {
	door := doorOf(t, 1)
	f := func(contentType, body string, version Version, status int, want string) {
		t.Helper()
		got := door.say(contentType, "", body)
		if got.Status != status || got.ContentType != version.ContentType() || !strings.Contains(string(got.Body), want) {
			t.Errorf("%s\n%s\nanswers %d %s\n%s\nwant %q in version %d", contentType, body, got.Status, got.ContentType, got.Body, want, version)
		}
	}
	const codecs = "<codec>g722</codec>"
	plain11, plain12 := in11("", question0), in12("", question0)
	f(related11, packaged(root11+plain11), SOAP11, 200, codecs)
	f(related12, packaged(root12+plain12), SOAP12, 200, codecs)
	f(related11, packaged(root11+plain12), SOAP12, 200, codecs)
	f(related12, "preamble\r\n"+packaged(root12+plain12)+"epilogue", SOAP12, 200, codecs)
	f("Multipart/Related; boundary=b", packaged("\r\n"+plain11), SOAP11, 200, codecs)
	f(related11, packaged("\r\n"+plain11), SOAP11, 200, codecs)
	f(related11, strings.ReplaceAll(packaged(root11+plain11), "\r\n", "\n"), SOAP11, 200, codecs)
	f(strings.ReplaceAll(related11, "<root>", "root"), packaged(root11+plain11), SOAP11, 200, codecs)
	for _, coding := range []string{"8bit", "7bit", "BINARY"} {
		f(related11, packaged("Content-Transfer-Encoding: "+coding+"\r\n"+root11+plain11), SOAP11, 200, codecs)
	}
	// The part knows its encoding, and the action and version that the package leaves out.
	f("multipart/related; boundary=b; charset=koi8-r", packaged(
		"Content-Type: text/xml; charset=iso-8859-1\r\n\r\n"+in11("<a>\xe4</a>", question0)), SOAP11, 200, codecs)
	f("multipart/related; boundary=b", packaged(bare12+plain12), SOAP12, 200, codecs)
	f("multipart/related; boundary=b", packaged(bare12+strings.ReplaceAll(plain12, "GetCodecs", "LookupNumber")), SOAP12, 400, "the action of the Content-Type")
	f("multipart/related; boundary=b", packaged(bare12+"<"), SOAP12, 400, "cannot be read as XML")
	f(related12, packaged(root12+"<"), SOAP12, 400, "cannot be read as XML")
	f(related12+`; action="urn:asterism:v1#LookupNumber"`, packaged(root12+plain12), SOAP12, 400, "the action of the Content-Type")

	// What stands in another part is refused where it would have stood.
	const include = `<x:Include xmlns:x="http://www.w3.org/2004/08/xop/include" href="cid:1"/>`
	for _, inner := range []string{"<number>" + include + "</number>", include, "<number>1" + include + "</number>"} {
		body := strings.Replace(plain12, "<number>100000</number>", inner, 1)
		f(related12, packaged(root12+body), SOAP12, 400, "attachments are not taken")
		f(type12, body, SOAP12, 400, "attachments are not taken")
	}
	field := in11("", `<RealtimeStore xmlns="urn:asterism:v1"><family>ps_aors</family><field><name>id</name><value>`+include+`</value></field></RealtimeStore>`)
	f(related11, packaged(root11+field), SOAP11, 500, "value refers to an attachment")
}

func TestPackagesThatAreRefused(t *testing.T) {
	door := doorOf(t, 1)
	f := func(contentType, body, want string) {
		t.Helper()
		got := door.say(contentType, "", body)
		if text := string(got.Body); got.Status != 415 || got.ContentType != "text/plain; charset=utf-8" ||
			!strings.Contains(text, want) || !strings.HasSuffix(text, unpackaged+"\n") {
			t.Errorf("%s\n%.300s\nanswers %d %s\n%s\nwant 415 and %q", contentType, body, got.Status, got.ContentType, got.Body, want)
		}
	}
	plain := in11("", question0)
	f("multipart/form-data; boundary=b", packaged(root11+plain), "no other package")
	f("multipart/mixed; boundary=b", packaged(root11+plain), "no other package")
	f("multipart/", packaged(root11+plain), "no other package")
	f("multipart/related", packaged(root11+plain), "no boundary")
	f("multipart/related; boundary=", packaged(root11+plain), "no boundary")
	f(related11, packaged(root11+plain, "Content-ID: <1>\r\n\r\nx"), "attachments are not taken")
	f(related11, packaged("Content-ID: <1>\r\n\r\nx", root11+plain), "not the one that start")
	f(related11, packaged(root11+plain, root11+plain, root11+plain), "attachments are not taken")
	f(related11, packaged(strings.Replace(root11, "root", "other", 1)+plain), "not the one that start")
	f(related11, packaged(), "no part")
	f(related11, "", "no part")
	f(related11, plain, "no part")
	f(strings.Replace(related11, "=b", "=c", 1), packaged(root11+plain), "no part")
	f(related11, "--b\r\n"+root11+plain, "breaks off")
	f(related11, "--b\r\n"+root11+plain+"\r\n--b", "breaks off")
	f(related11, "--b\r\nContent-Type", "no part")
	for _, coding := range []string{"quoted-printable", "base64", "x"} {
		f(related11, packaged("Content-Transfer-Encoding: "+coding+"\r\n"+root11+plain), "Content-Transfer-Encoding")
	}
	f(related11, packaged(strings.Repeat("X-A: 1\r\n", MaxPartHeaders)+root11+plain), "16 headers")
	f(related11, packaged("X-A: "+strings.Repeat("1", MaxPartHeader)+"\r\n"+root11+plain), "4096 bytes")
}
