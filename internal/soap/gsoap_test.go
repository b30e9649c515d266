package soap

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGSOAPGeneratesItsStubs runs gSOAP over the WSDL as a user would: the plain name of the stub is a contract.
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
	run("wsdl2h", "-c", "-o", "asterism.h", "asterism.wsdl")
	run("soapcpp2", "-c", "-C", "-L", "-x", "asterism.h")
	stubs, err := os.ReadFile(filepath.Join(dir, "soapClient.c"))
	if err != nil {
		t.Fatal(err)
	}
	for op := NoOperation + 1; op < afterLastOperation; op++ {
		if stub := "soap_call___ns1__" + op.String() + "("; !bytes.Contains(stubs, []byte(stub)) {
			t.Errorf("gSOAP made no stub %s)", stub)
		}
	}
}
