package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// node is a serving Asterism with numbers in SQLite.
type node struct {
	*server
	binary, config string
	numbers        int
	file           string        // that was loaded
	loaded         time.Duration // what loading took, nobody serving
	ready          time.Duration // from the start of the process until it serves
}

// buildAsterism makes the static binary, as make build does.
func buildAsterism(ctx context.Context, folder string) (string, error) {
	binary := filepath.Join(folder, "asterism")
	command := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/asterism")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build asterism (start this from the project's folder): %w\n%s", err, output)
	}
	return binary, nil
}

// startNode makes a store, loads numbers and serves them.
func startNode(ctx context.Context, binary, folder string, numbers int) (*node, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	n := &node{binary: binary, config: filepath.Join(folder, "asterism.toml"), numbers: numbers, file: filepath.Join(folder, "numbers.csv")}
	text := fmt.Sprintf("[node]\nname = \"bench\"\nstate = %q\n[store]\nurl = %q\n[asterisk]\nlisten = \"127.0.0.1:0\"\n[people]\nlisten = \"127.0.0.1:0\"\n",
		filepath.Join(folder, "state"), "sqlite:"+filepath.Join(folder, "asterism.db"))
	if err := os.WriteFile(n.config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	if err := writeNumbers(n.file, numbers); err != nil {
		return nil, err
	}
	if _, err := n.run(ctx, "init"); err != nil {
		return nil, err
	}
	began := time.Now()
	if _, err := n.run(ctx, "load", "numbers", n.file); err != nil {
		return nil, err
	}
	n.loaded = time.Since(began)
	if err := forgetChanges(ctx, filepath.Join(folder, "asterism.db")); err != nil {
		return nil, err
	}
	return n, n.serve(ctx)
}

// forgetChanges clears what the load left in the change log, which no node needs.
// The node would do it piece by piece for a minute, while it is measured.
func forgetChanges(ctx context.Context, database string) error {
	if output, err := exec.CommandContext(ctx, "sqlite3", database, "DELETE FROM asterism_changes").CombinedOutput(); err != nil {
		return fmt.Errorf("clear the change log of %s: %w\n%s", database, err, output)
	}
	return nil
}

// run runs a command of the binary to its end and gives what it printed.
func (n *node) run(ctx context.Context, arguments ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, n.binary, append(arguments, "--config", n.config)...)
	output, err := command.Output()
	if err != nil {
		faults := ""
		if exit, ok := err.(*exec.ExitError); ok {
			faults = string(exit.Stderr)
		}
		return nil, fmt.Errorf("asterism %s: %w\n%s", arguments[0], err, faults)
	}
	return output, nil
}

// serve starts the node and waits until its log says that it serves.
func (n *node) serve(ctx context.Context) error {
	command := exec.Command(n.binary, "serve", "--log", "json", "--config", n.config)
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	command.Stderr = writer
	began := time.Now()
	n.server, err = start(command, "")
	_ = writer.Close() // the process has its own
	if err != nil {
		_ = reader.Close()
		return err
	}
	serving := make(chan string, 1)
	go followLog(reader, serving)
	late := time.NewTimer(readyWithin)
	defer late.Stop()
	select {
	case n.address = <-serving:
		n.ready = time.Since(began)
		return nil
	case <-n.ended:
		return fmt.Errorf("asterism serve ended before it served: %w", n.err)
	case <-late.C:
		return fmt.Errorf("asterism serve is not ready within %v", readyWithin)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// followLog reads to the end of the log, so that the node never waits for it.
func followLog(log io.ReadCloser, serving chan<- string) {
	defer log.Close()
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Asterisk string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			serving <- line.Asterisk
		}
	}
}
