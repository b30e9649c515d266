package soap

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGSOAPGeneratesItsStubs runs gSOAP over the WSDL as a user would. The plain name of the stub is a contract: it is
// that of the SOAP 1.1 binding, the other one has _ behind it. Which version is sent is soapcpp2's to say.
func TestGSOAPGeneratesItsStubs(t *testing.T) {
	for _, program := range []string{"wsdl2h", "soapcpp2"} {
		if _, err := exec.LookPath(program); err != nil {
			const missing = "missing program %s (Debian package gsoap)"
			if os.Getenv("CI") == "true" {
				t.Fatalf(missing, program)
			}
			t.Skipf(missing, program)
		}
	}
	dir := t.TempDir()
	wsdl := AppendWSDL(nil, "http://127.0.0.1:8640/soap")
	if err := os.WriteFile(filepath.Join(dir, "asterism.wsdl"), wsdl, 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(program string, arguments ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), program, arguments...)
		command.Dir = dir
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", program, err, output)
		}
	}
	made := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	run("wsdl2h", "-c", "-o", "asterism.h", "asterism.wsdl")
	header := made("asterism.h")
	for op := NoOperation + 1; op < afterLastOperation; op++ {
		first, _, _ := strings.Cut(header, "int __ns1__"+op.String()+"_(")
		if !strings.Contains(first, "int __ns1__"+op.String()+"(") {
			t.Errorf("gSOAP does not give %s its plain name in the first binding", op)
		}
	}
	for version, option := range map[Version]string{SOAP11: "-1", SOAP12: "-2"} {
		run("soapcpp2", option, "-c", "-C", "-L", "-x", "asterism.h")
		if namespaces := made("Asterism.nsmap"); !strings.Contains(namespaces, `"SOAP-ENV", "`+version.envelope()+`"`) {
			t.Errorf("soapcpp2 %s does not send %s\n%s", option, version.envelope(), namespaces)
		}
		stubs := made("soapClient.c")
		for op := NoOperation + 1; op < afterLastOperation; op++ {
			for _, stub := range []string{"soap_call___ns1__" + op.String() + "(", "soap_call___ns1__" + op.String() + "_("} {
				if !strings.Contains(stubs, stub) {
					t.Errorf("gSOAP made no stub %s)", stub)
				}
			}
		}
	}
}
