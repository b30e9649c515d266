package soap

import "testing"

func TestFaultsExactBytes(t *testing.T) {
	f := func(fault Fault, version Version, status int, header, body string) {
		t.Helper()
		want := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
			`<SOAP-ENV:Envelope xmlns:SOAP-ENV="` + version.envelope() + `">` + header + `<SOAP-ENV:Body>` +
			`<SOAP-ENV:Fault>` + body + `</SOAP-ENV:Fault></SOAP-ENV:Body></SOAP-ENV:Envelope>`
		got := AppendFault(nil, version, &fault)
		if string(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if _, err := oracleTrace(got); err != nil {
			t.Errorf("%v\n%s", err, got)
		}
		if got := fault.Status(version); got != status {
			t.Errorf("%s: status %d, want %d", fault.Code, got, status)
		}
	}
	f11 := func(fault Fault, header, code, text string) {
		t.Helper()
		f(fault, SOAP11, 500, header, `<faultcode>`+code+`</faultcode><faultstring>`+text+`</faultstring>`)
	}
	f12 := func(fault Fault, status int, header, code, text string) {
		t.Helper()
		f(fault, SOAP12, status, header, `<SOAP-ENV:Code><SOAP-ENV:Value>`+code+`</SOAP-ENV:Value></SOAP-ENV:Code>`+
			`<SOAP-ENV:Reason><SOAP-ENV:Text xml:lang="en">`+text+`</SOAP-ENV:Text></SOAP-ENV:Reason>`)
	}
	const upgrade = `<SOAP-ENV:Header><v:Upgrade xmlns:v="http://www.w3.org/2003/05/soap-envelope">` +
		`<v:SupportedEnvelope qname="a:Envelope" xmlns:a="http://www.w3.org/2003/05/soap-envelope"/>` +
		`<v:SupportedEnvelope qname="b:Envelope" xmlns:b="http://schemas.xmlsoap.org/soap/envelope/"/></v:Upgrade></SOAP-ENV:Header>`
	client, server := Fault{Code: Client, Text: "no"}, Fault{Code: Server, Text: "loading"}
	must := Fault{Code: MustUnderstand, Text: `<x> & "y"`, HeaderSpace: `urn:"t"`, HeaderName: "x"}
	bare := Fault{Code: MustUnderstand, Text: "no", HeaderName: "x"}
	mismatch := Fault{Code: VersionMismatch, Text: "\x00é\xff"}

	f11(client, "", "SOAP-ENV:Client", "no")
	f11(server, "", "SOAP-ENV:Server", "loading")
	f11(must, "", "SOAP-ENV:MustUnderstand", "&lt;x&gt; &amp; &quot;y&quot;")
	f11(mismatch, upgrade, "SOAP-ENV:VersionMismatch", "\uFFFDé\uFFFD")

	f12(client, 400, "", "SOAP-ENV:Sender", "no")
	f12(server, 500, "", "SOAP-ENV:Receiver", "loading")
	f12(must, 500, `<SOAP-ENV:Header><SOAP-ENV:NotUnderstood qname="h:x" xmlns:h="urn:&quot;t&quot;"/></SOAP-ENV:Header>`,
		"SOAP-ENV:MustUnderstand", "&lt;x&gt; &amp; &quot;y&quot;")
	f12(bare, 500, `<SOAP-ENV:Header><SOAP-ENV:NotUnderstood qname="x"/></SOAP-ENV:Header>`, "SOAP-ENV:MustUnderstand", "no")
	f12(mismatch, 500, upgrade, "SOAP-ENV:VersionMismatch", "\uFFFDé\uFFFD")
}

func TestFaultIsAnError(t *testing.T) {
	var err error = &Fault{Code: Client, Text: "no"}
	if got, want := err.Error(), "soap fault Client: no"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
