package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"asterism/test/lab"
)

// toolkit is a SOAP client of others and how our program for it is started.
type toolkit struct {
	name    string
	need    func(t *testing.T)
	command func(t *testing.T, wsdl, version string) *exec.Cmd
}

// Debian's packages serve Debian's interpreters, not another one earlier in PATH.
var toolkits = []toolkit{
	{"gSOAP", func(t *testing.T) {
		for _, program := range []string{"wsdl2h", "soapcpp2", "gcc"} {
			lab.NeedProgram(t, program)
		}
	}, gsoapClient},
	{"PHP", func(t *testing.T) {
		needModule(t, "php-soap", "/usr/bin/php", "-r", "exit(extension_loaded('soap') ? 0 : 1);")
	}, script("/usr/bin/php", "php/client.php")},
	{"zeep", func(t *testing.T) {
		needModule(t, "python3-zeep", "/usr/bin/python3", "-c", "import zeep")
	}, script("/usr/bin/python3", "python/client.py")},
	{"SOAP::Lite", func(t *testing.T) {
		needModule(t, "libsoap-lite-perl", "/usr/bin/perl", "-MSOAP::Lite", "-e1")
	}, script("/usr/bin/perl", "perl/client.pl")},
	{"Node.js", func(t *testing.T) {
		lab.NeedProgram(t, "node")
		lab.NeedProgram(t, "npm")
	}, nodeClient},
}

// refused is what a client prints that doesn't even send a call.
const refused = "refused"

// deviation is what a toolkit can't express or does in its own way: in what it is
// expected to print at a step (at any, if empty), old becomes to.
type deviation struct{ client, what, old, to, why string }

var deviations = []deviation{
	{"PHP", "no condition", noCondition, refused, "looks for the elements that the WSDL demands before it sends"},
	{"zeep", "no condition", noCondition, refused, "looks for the elements that the WSDL demands before it sends"},
	{"Node.js", "", `\r\n`, `\n`, "sends a carriage return as it stands, and XML reads both as one line feed"},
	{"Node.js 1.2", "", "|announce= ", "|announce=", "finds no schema for an answer in 1.2, and without one it trims"},
}

// of tells whether it deviates: a client in one version of SOAP, or in both.
func (d deviation) of(kit, version string) bool {
	return d.client == kit || d.client == kit+" "+version
}

// expected is what the client prints at a step, behind instance and revision.
func (k toolkit) expected(s step, version string, used []bool) string {
	want := s.want
	if text, fault := strings.CutPrefix(want, "fault "); fault {
		want = "fault " + map[string]string{"1.1": "Client ", "1.2": "Sender "}[version] + text
	}
	for i, d := range deviations {
		if !d.of(k.name, version) || d.what != "" && d.what != s.what || !strings.Contains(want, d.old) {
			continue
		}
		used[i] = true
		if want = strings.ReplaceAll(want, d.old, d.to); d.to == refused {
			return refused
		}
	}
	return want
}

// needModule is needProgram for a part of Debian that is no program: check must
// succeed.
func needModule(t *testing.T, debian string, check ...string) {
	t.Helper()
	if out, err := exec.Command(check[0], check[1:]...).CombinedOutput(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("missing program %s: %v\n%s", debian, err, out)
		}
		t.Skipf("missing program %s", debian)
	}
}

// script makes the command of a program that needs no building.
func script(interpreter, file string) func(*testing.T, string, string) *exec.Cmd {
	return func(_ *testing.T, wsdl, version string) *exec.Cmd {
		return exec.Command(interpreter, filepath.Join("clients", file), wsdl, version)
	}
}

// build runs a command in a folder.
func build(t *testing.T, folder, program string, arguments ...string) {
	t.Helper()
	command := exec.Command(program, arguments...)
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(arguments, " "), err, out)
	}
}

// gsoapClient makes the stubs from the WSDL as a user would, and the program.
func gsoapClient(t *testing.T, wsdl, version string) *exec.Cmd {
	t.Helper()
	folder := t.TempDir()
	ours, err := filepath.Abs("clients/gsoap")
	if err != nil {
		t.Fatal(err)
	}
	build(t, folder, "wsdl2h", "-c", "-o", "asterism.h", wsdl)
	build(t, folder, "soapcpp2", "-"+strings.TrimPrefix(version, "1."), "-c", "-C", "-L", "-x", "-I/usr/share/gsoap/import", "asterism.h")
	build(t, folder, "gcc", "-Wall", "-I.", "-I"+ours, "-o", "client", filepath.Join(ours, "client.c"), "soapC.c", "soapClient.c", "-lgsoap")
	return exec.Command(filepath.Join(folder, "client"))
}
