package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed nginx.conf.tmpl
var nginxConfig string

const nginxWorkers = 2

// constant is an answer that nginx gives to whatever it is asked at a path.
type constant struct{ Path, ContentType, Body string }

// startNginx starts it in the foreground, with nothing of the system's config.
func startNginx(ctx context.Context, folder string, constants []constant) (*server, error) {
	for _, c := range constants {
		if strings.ContainsAny(c.Body, `'\$`) {
			return nil, fmt.Errorf("nginx cannot answer %q: it would need escapes", c.Body)
		}
	}
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	var text strings.Builder
	err = template.Must(template.New("nginx").Parse(nginxConfig)).Execute(&text, struct {
		Workers         int
		Folder, Address string
		Constants       []constant
	}{nginxWorkers, folder, address, constants})
	if err != nil {
		return nil, err
	}
	config := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(config, []byte(text.String()), 0o600); err != nil {
		return nil, err
	}
	command := exec.Command(program("nginx"), "-e", filepath.Join(folder, "error.log"), "-p", folder, "-c", config)
	command.Stderr = os.Stderr
	s, err := start(command, address)
	if err != nil {
		return nil, err
	}
	return s, s.awaitListening(ctx)
}

// program finds a program also where only root's path looks.
func program(name string) string {
	if _, err := exec.LookPath(name); err != nil {
		return "/usr/sbin/" + name
	}
	return name
}
