package test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"testing"
	"time"

	"asterism/test/lab"
)

// showChanges times single changes: rows that the sqlite3 program changes, and
// contacts that Asterisk writes. A change counts from its statement's start.
func (s size) showChanges(t *testing.T, h *lab.Home, node *sized) {
	t.Helper()
	program := openSQL(t, h)
	w := openWire(t, node.Asterisk)
	var committed, served, written timed
	for i := range s.changes {
		id, mark := phone((i*7919+1)%s.subscribers), fmt.Sprintf("changed%d", i)
		began := time.Now()
		done := make(chan time.Duration, 1)
		go func() {
			program.run(t, fmt.Sprintf("UPDATE ps_endpoints SET context = '%s' WHERE id = '%s';", mark, id))
			done <- time.Since(began)
		}()
		awaitAnswer(t, w, "/rt/ps_endpoints/single", "id="+id, "context="+mark)
		served.took = append(served.took, time.Since(began))
		committed.took = append(committed.took, <-done)
	}
	for i := range s.changes {
		began := time.Now()
		answer, err := w.ask("/rt/ps_contacts/store", "id=single"+contactOf(i)+"&"+contact(i, 0))
		written.took = append(written.took, time.Since(began))
		if err != nil || string(answer) != "1" {
			t.Fatalf("a contact: %q, %v", answer, err)
		}
		if answer, err = w.ask("/rt/ps_contacts/destroy", "id=single"+contactOf(i)+"&"); err != nil || string(answer) != "1" {
			t.Fatalf("the end of a contact: %q, %v", answer, err)
		}
	}
	for _, d := range []timed{committed, served, written} {
		slices.Sort(d.took)
	}
	t.Logf("a row changed by sqlite3: its commit %v; served from the statement on %v", committed, served)
	t.Logf("one contact over the curl wire: %v", written)
}

// awaitAnswer asks until the answer holds a text.
func awaitAnswer(t *testing.T, w *wire, path, body, part string) {
	t.Helper()
	again := time.NewTicker(time.Millisecond / 2)
	defer again.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-again.C {
		answer, err := w.ask(path, body)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(answer, []byte(part)) {
			return
		}
	}
	t.Fatalf("%s %s does not come to hold %s", path, body, part)
}

// shell is a running sqlite3 program.
type shell struct {
	in  io.Writer
	out *bufio.Reader
}

// openSQL starts the program; its end is that of its input.
func openSQL(t *testing.T, h *lab.Home) *shell {
	t.Helper()
	command := exec.Command("sqlite3", "-cmd", ".timeout 20000", h.Database())
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if err := command.Wait(); err != nil {
			t.Errorf("the end of sqlite3: %v", err)
		}
	})
	return &shell{in, bufio.NewReader(out)}
}

// run runs a statement and returns once it is committed.
func (s *shell) run(t *testing.T, statement string) {
	if _, err := fmt.Fprintf(s.in, "%s SELECT 'done';\n", statement); err != nil {
		t.Error(err)
		return
	}
	if line, err := s.out.ReadString('\n'); err != nil || line != "done\n" {
		t.Errorf("%s: %q, %v", statement, line, err)
	}
}
