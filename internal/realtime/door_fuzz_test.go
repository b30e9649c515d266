package realtime

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"testing"

	"asterism/internal/directory"
)

// FuzzDoor holds what Asterisk relies on whatever it is asked: no panic; a number
// for update, store, destroy and require, never nothing; nothing or rows for the
// others, never a page. And no write names all rows. The corpus is in testdata/fuzz/FuzzDoor.
func FuzzDoor(f *testing.F) {
	for _, q := range questions {
		f.Add("POST", []byte(q.uri), []byte(q.body))
	}
	door := doorOf(f, 10)
	door.Writes = careful{f}
	f.Fuzz(func(t *testing.T, method string, uri, body []byte) {
		before := append(bytes.Clone(uri), body...)
		answer := door.Answer(context.Background(), nil, Request{Method: []byte(method), URI: uri, Body: body})
		if !bytes.Equal(before, append(bytes.Clone(uri), body...)) {
			t.Fatal("the door changed its request")
		}
		_, verb, _ := split(uri)
		text := answer.Body
		if answer.Stream != nil {
			var out bytes.Buffer
			if err := answer.Stream(&out); err != nil || out.Len() != answer.Length {
				t.Fatalf("a stream of %d bytes instead of %d: %v", out.Len(), answer.Length, err)
			}
			text = out.Bytes()
		}
		checkAnswer(t, verb, answer.Status, text)
	})
}

func checkAnswer(t *testing.T, v verb, status int, text []byte) {
	t.Helper()
	if v.counts() {
		if n, err := strconv.Atoi(string(text)); err != nil || n < -1 || (status >= 400) != (n == -1) && v != require {
			t.Fatalf("status %d with %q where Asterisk reads a number", status, text)
		}
		return
	}
	if status != http.StatusOK && len(text) > 0 {
		t.Fatalf("status %d with %q", status, text)
	}
	for line := range bytes.Lines(text) {
		pairs, _, reason := parse(bytes.TrimSuffix(line, []byte("\n")), nil, nil)
		if reason != "" || len(pairs) == 0 || bytes.ContainsAny(line, "<>\r +;\"") {
			t.Fatalf("%q is no row", line)
		}
	}
	if v == single && bytes.IndexByte(text, '\n') >= 0 {
		t.Fatalf("single answers lines: %q", text)
	}
}

// careful takes every write and says how many rows it names: the store behind a
// door that is under test.
type careful struct{ t testing.TB }

func (c careful) check(conditions []directory.Condition) int {
	if len(conditions) == 0 {
		c.t.Error("a write of all rows")
	}
	for _, one := range conditions {
		if len(one.Column) > MaxName || len(one.Value) > MaxValue {
			c.t.Errorf("a condition of %d and %d bytes", len(one.Column), len(one.Value))
		}
	}
	return len(conditions)
}

// Update implements Writes.
func (c careful) Update(_ context.Context, _ string, conditions []directory.Condition, values []directory.Value) (int, error) {
	if len(values) > MaxPairs {
		c.t.Errorf("%d values", len(values))
	}
	return c.check(conditions), nil
}

// Store implements Writes.
func (c careful) Store(_ context.Context, _ string, values []directory.Value) (int, error) {
	if len(values) > MaxPairs {
		c.t.Errorf("%d values", len(values))
	}
	return 1, nil
}

// Destroy implements Writes.
func (c careful) Destroy(_ context.Context, _ string, conditions []directory.Condition) (int, error) {
	return c.check(conditions), nil
}

// Require implements Writes.
func (c careful) Require(_ string, columns []string) bool { return len(columns)%2 == 0 }
