package soap

import (
	"strings"
	"testing"
)

// lookups are bodies that differ in what stands for a number, and in more.
func lookups() []string {
	tenant := `<c:GetCodecs xmlns:c="urn:asterism:v1"><c:tenant>acme</c:tenant><c:number>%</c:number></c:GetCodecs>`
	var out []string
	for _, number := range []string{"4930000777", "+4930000778", "", "a&amp;b", "<![CDATA[77]]>", "77<!-- x -->", "7<!-- x -->7", " 77 ", "7</c:number><c:number>8", "\xff", strings.Repeat("7", 65)} {
		for _, of := range []string{tenant, strings.Replace(tenant, "acme", "", 1), strings.ReplaceAll(tenant, "GetCodecs", "LookupNumber")} {
			out = append(out, in11("", strings.Replace(of, "%", number, 1)), in12("", strings.Replace(of, "%", number, 1)))
		}
	}
	return append(out, "", "<", in11("", `<c:GetCodecs xmlns:c="urn:asterism:v1"/>`))
}

// sameAsAnew parses second after first with one Request and compares with what a new one reads.
func sameAsAnew(t *testing.T, first, second string) {
	t.Helper()
	var known, anew Request
	_ = known.Parse([]byte(first)) // whatever it is
	got, want := known.Parse([]byte(second)), anew.Parse([]byte(second))
	switch {
	case (got == nil) != (want == nil) || got != nil && got.Error() != want.Error():
		t.Errorf("%q after %q: %v, want %v", second, first, got, want)
	case known.Version != anew.Version:
		t.Errorf("%q after %q: version %v, want %v", second, first, known.Version, anew.Version)
	case got != nil:
	case known.Op != anew.Op || !sameText(known.Number, anew.Number) || !sameText(known.Tenant, anew.Tenant):
		t.Errorf("%q after %q: %v %+v %+v, want %v %+v %+v", second, first, known.Op, known.Number, known.Tenant, anew.Op, anew.Number, anew.Tenant)
	}
}

func sameText(a, b Text) bool { return a.Given == b.Given && string(a.Value) == string(b.Value) }

func TestALookupLikeTheLastIsReadAsAnew(t *testing.T) {
	all := lookups()
	for _, first := range all {
		for _, second := range all {
			sameAsAnew(t, first, second)
		}
	}
}

func FuzzLikeness(f *testing.F) {
	all := lookups()
	for i := range all {
		f.Add(all[i], all[(i+2)%len(all)])
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		sameAsAnew(t, first, second)
		if before, after, ok := strings.Cut(first, "4930000777"); ok { // the same with another number
			sameAsAnew(t, first, before+second+after)
		}
	})
}
