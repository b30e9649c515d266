package access

import (
	"crypto/x509/pkix"
	"strings"
	"testing"
)

func TestASubjectIsTheSameHoweverItIsWritten(t *testing.T) {
	f := func(one, two string, same bool) {
		t.Helper()
		a, errA := ParseSubject(one)
		b, errB := ParseSubject(two)
		if errA != nil || errB != nil {
			t.Errorf("%s and %s: %v, %v", one, two, errA, errB)
		}
		if (a == b) != same {
			t.Errorf("%s and %s: the same is %v, want %v", one, two, a == b, same)
		}
	}
	f("CN=berlin", "CN=berlin", true)
	f("CN=berlin", "cn = berlin", true)
	f("CN=berlin,O=Example", "O = Example, CN = berlin", true)
	f(`CN=berlin,O=Example\, Inc.`, `O = "Example, Inc.", CN = berlin`, true)
	f(`O=M\C3\BCller`, "O=Müller", true)
	f("CN=a+OU=b", "OU=b,CN=a", true)
	f(`CN=\ a\ `, `CN=" a "`, true)
	f("CN=berlin", "CN=Berlin", false)
	f("CN=berlin", "CN=berlin,O=Example", false)
	f("CN=berlin", "OU=berlin", false)
	f(`CN=a\,O=b`, "CN=a,O=b", false)
	f(`CN=a\\ `, `CN=a\\`, true)
}

func TestWhatIsNoSubject(t *testing.T) {
	for _, text := range []string{"", "berlin", "CN=", "=berlin", "CN=a,", ",CN=a", `CN=a\`, "CN= "} {
		if got, err := ParseSubject(text); err == nil {
			t.Errorf("%q is read as %s", text, got)
		}
	}
}

// FuzzSubject holds that whatever name a certificate has is read, and that two
// names are one subject only when they are one name.
func FuzzSubject(f *testing.F) {
	f.Add("berlin", "Example, Inc.")
	f.Add(` a"b\c+d=e `, "#1 <x>;")
	f.Add("\x00", "\xff")
	f.Fuzz(func(t *testing.T, common, organisation string) {
		name := pkix.Name{CommonName: common, Organization: []string{organisation}}
		if strings.Trim(common, " ") == "" || strings.Trim(organisation, " ") == "" {
			return
		}
		one, err := ParseSubject(name.String())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		name.CommonName += "x"
		if other, err := ParseSubject(name.String()); err != nil || other == one {
			t.Errorf("%s is read as %s, %v", name, other, err)
		}
	})
}
