package lab

import (
	"context"
	"os"
	"os/exec"
	"time"
)

// T is what the lab needs of a test, or of a program that measures.
type T interface {
	Helper()
	Context() context.Context
	TempDir() string
	Cleanup(end func())
	Logf(format string, values ...any)
	Errorf(format string, values ...any)
	Fatalf(format string, values ...any)
	Skipf(format string, values ...any)
}

// NeedProgram skips without a program from outside, but never in CI.
func NeedProgram(t T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		missing(t, name)
	}
}

// missing skips, and fails in CI; check.sh looks for the words.
func missing(t T, name string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("missing program %s", name)
	}
	t.Skipf("missing program %s", name)
}

// Eventually asks again and again until a condition holds.
func Eventually(t T, within time.Duration, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for !holds() {
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("not within %v: %s", within, what)
		}
	}
}
