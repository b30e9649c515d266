package test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// snippets gives the commands of the README's sh blocks.
func snippets(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, block := range strings.Split(string(text), "```sh\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func TestTheReadmesCommandsWork(t *testing.T) {
	commands := snippets(t)
	if len(commands) < 5 {
		t.Fatalf("only %d commands found", len(commands))
	}
	for _, command := range commands {
		switch {
		case command == "make test":
			continue // this is part of it
		case strings.HasSuffix(command, "demo"):
			command += " --exit"
		}
		run := exec.Command("/bin/sh", "-c", command)
		run.Dir = ".."
		out, err := run.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		if strings.Contains(command, "demo") && !strings.Contains(string(out), "Every answer was right") {
			t.Errorf("%s:\n%s", command, out)
		}
	}
}
