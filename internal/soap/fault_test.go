package soap

import "testing"

func TestFaultsExactBytes(t *testing.T) {
	f := func(fault Fault, code, text string) {
		t.Helper()
		want := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
			`<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Body>` +
			`<SOAP-ENV:Fault><faultcode>` + code + `</faultcode><faultstring>` + text + `</faultstring></SOAP-ENV:Fault>` +
			`</SOAP-ENV:Body></SOAP-ENV:Envelope>`
		if got := string(AppendFault(nil, SOAP11, &fault)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if got := fault.Status(SOAP11); got != 500 {
			t.Errorf("%s: status %d", code, got)
		}
	}
	f(Fault{Client, "no"}, "SOAP-ENV:Client", "no")
	f(Fault{Server, "the directory is loading"}, "SOAP-ENV:Server", "the directory is loading")
	f(Fault{MustUnderstand, `<x> & "y"`}, "SOAP-ENV:MustUnderstand", "&lt;x&gt; &amp; &quot;y&quot;")
	f(Fault{VersionMismatch, "\x00é\xff"}, "SOAP-ENV:VersionMismatch", "\uFFFDé\uFFFD")
}

func TestFaultIsAnError(t *testing.T) {
	var err error = &Fault{Code: Client, Text: "no"}
	if got, want := err.Error(), "soap fault Client: no"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
