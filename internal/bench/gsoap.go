package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"asterism/asterisk/stubs"
	"asterism/examples"
)

const (
	// maxWSDL bounds what is read from a server; ours is 20 KB.
	maxWSDL = 4 << 20
	// buildTime is far above the 5 seconds that gSOAP and the compiler take.
	buildTime = 5 * time.Minute
	// gsoapPackages are named to whoever lacks a program.
	gsoapPackages = "Debian packages gsoap libgsoap-dev gcc make"
)

// CheckGSOAP says which of the things is missing that BuildGSOAP needs.
func CheckGSOAP(ctx context.Context) error {
	for _, program := range []string{"wsdl2h", "soapcpp2", "gcc", "make"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("client gsoap: missing program %s; install what builds it: %s", program, gsoapPackages)
		}
	}
	include := exec.CommandContext(ctx, "gcc", "-E", "-include", "stdsoap2.h", "-x", "c", os.DevNull)
	if err := include.Run(); err != nil {
		return fmt.Errorf("client gsoap: missing header stdsoap2.h: %w; install what builds it: %s", err, gsoapPackages)
	}
	return nil
}

// BuildGSOAP builds the client program of examples/gsoap in a folder, with stubs
// made from the WSDL of the SOAP endpoint at rawURL, and returns its path.
func BuildGSOAP(ctx context.Context, folder, rawURL string) (executable string, err error) {
	ctx, cancel := context.WithTimeout(ctx, buildTime)
	defer cancel()
	if err := CheckGSOAP(ctx); err != nil {
		return "", err
	}
	wsdl, err := fetchWSDL(ctx, rawURL)
	if err != nil {
		return "", fmt.Errorf("client gsoap: fetch the WSDL: %w", err)
	}
	if err := writeSources(folder, wsdl); err != nil {
		return "", fmt.Errorf("client gsoap: write its sources: %w", err)
	}
	build := exec.CommandContext(ctx, "make", "WSDL=asterism.wsdl", "BUILD=build", "CC=gcc")
	build.Dir = filepath.Join(folder, exampleFolder)
	build.WaitDelay = reapTime
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("client gsoap: build it: %w: %s; it needs %s", err, ending(said), gsoapPackages)
	}
	return filepath.Join(build.Dir, "build", "codecs"), nil
}

// fetchWSDL asks the server itself, so that a server that is not there is told
// in the same words as anywhere, and gSOAP gets a file.
func fetchWSDL(ctx context.Context, rawURL string) (text []byte, err error) {
	address, err := parseURL(rawURL, "")
	if err != nil {
		return nil, err
	}
	address.RawQuery = "wsdl"
	ctx, cancel := context.WithTimeout(ctx, requestDeadline)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w; does the server listen there?", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %s; is the URL right?", address, response.Status)
	}
	text, err = io.ReadAll(io.LimitReader(response.Body, maxWSDL+1))
	if len(text) > maxWSDL {
		return nil, fmt.Errorf("%s is longer than %d bytes", address, maxWSDL)
	}
	return text, err
}

// exampleFolder is where the sources are put, beside the rules for the stubs as in the
// repository.
const exampleFolder = "examples/gsoap"

func writeSources(folder string, wsdl []byte) error {
	if err := os.CopyFS(filepath.Join(folder, "examples"), examples.GSOAP); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(folder, "asterisk", "stubs"), stubs.Rules); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, exampleFolder, "asterism.wsdl"), wsdl, 0o600)
}

// ending is the last that a program said, where compilers and make say what is wrong.
func ending(said []byte) []byte {
	said = bytes.TrimSpace(said)
	return said[max(0, len(said)-maxComplaint):]
}
