package main

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed server/gsoap.c
var gsoapServer []byte

const gsoapThreads = "16"

// operation is a function that gSOAP expects its server to have.
var operation = regexp.MustCompile(`SOAP_FMAC5 int SOAP_FMAC6 (__ns1__\w+)\(struct soap\*, (struct \w+) \*\w*, (struct \w+) \*\w*\);`)

// buildGSOAP makes the server from the WSDL, as gSOAP's user guide does.
func buildGSOAP(ctx context.Context, folder, wsdl string) (string, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	for name, content := range map[string][]byte{"asterism.wsdl": []byte(wsdl), "server.c": gsoapServer} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return "", err
		}
	}
	run := func(name string, arguments ...string) error {
		command := exec.CommandContext(ctx, name, arguments...)
		command.Dir = folder
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", name, err, output)
		}
		return nil
	}
	if err := run("wsdl2h", "-c", "-o", "asterism.h", "asterism.wsdl"); err != nil {
		return "", err
	}
	if err := run("soapcpp2", "-c", "-S", "-L", "-x", "asterism.h"); err != nil {
		return "", err
	}
	stubs, err := os.ReadFile(filepath.Join(folder, "soapStub.h"))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "others.c"), []byte(otherOperations(string(stubs))), 0o600); err != nil {
		return "", err
	}
	return filepath.Join(folder, "server"), run("gcc", "-O2", "-o", "server", "server.c", "others.c", "soapC.c", "soapServer.c", "-lgsoap", "-lpthread")
}

// otherOperations writes what the linker needs and nobody calls.
func otherOperations(stubs string) string {
	text := &strings.Builder{}
	fmt.Fprintln(text, `#include "soapH.h"`)
	for _, found := range operation.FindAllStringSubmatch(stubs, -1) {
		if found[1] != "__ns1__GetCodecs" {
			fmt.Fprintf(text, "int %s(struct soap *soap, %s *question, %s *answer) { (void)question; (void)answer; return soap->error = SOAP_NO_METHOD; }\n", found[1], found[2], found[3])
		}
	}
	return text.String()
}

// startGSOAP starts the server with its threads.
func startGSOAP(ctx context.Context, binary, instance string) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	command := exec.Command(binary, port, gsoapThreads, instance)
	command.Stderr = os.Stderr
	s, err := start(command, address)
	if err != nil {
		return nil, err
	}
	return s, s.awaitListening(ctx)
}
