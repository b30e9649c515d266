package soap

import "testing"

func TestActionMayConfirmTheOperation(t *testing.T) {
	f := func(header, want string) {
		t.Helper()
		got := ""
		if fault := CheckAction([]byte(header), GetCodecs); fault != nil {
			got = fault.Code.String() + ": " + fault.Text
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", header, got, want)
		}
	}
	const hint = `, but the Body asks GetCodecs; send "urn:asterism:v1#GetCodecs" or leave it empty`
	f(``, "")
	f(` `, "")
	f(`""`, "")
	f(`"urn:asterism:v1#GetCodecs"`, "")
	f(` "urn:asterism:v1#GetCodecs" `, "")
	f(`urn:asterism:v1#GetCodecs`, "")
	f(`"urn:asterism:v1#LookupNumber"`, `Client: SOAPAction is "urn:asterism:v1#LookupNumber"`+hint)
	f(`urn:asterism:v1#`, `Client: SOAPAction is "urn:asterism:v1#"`+hint)
	f(`"urn:other#GetCodecs"`, `Client: SOAPAction is "urn:other#GetCodecs"`+hint)
	f(`"`, `Client: SOAPAction is """`+hint)
	if got := checkTypesAction([]byte("urn:other"), GetCodecs); got == nil || got.Text != `the action of the Content-Type is "urn:other"`+hint {
		t.Errorf("an action of the Content-Type: %v", got)
	}
	if CheckAction(nil, GetCodecs) != nil {
		t.Error("a missing header was refused")
	}
}
