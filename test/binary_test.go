package test

import (
	"os"
	"strconv"
	"testing"

	"asterism/test/lab"
)

func TestMain(m *testing.M) { os.Exit(lab.Main(m.Run)) }

// rounds is how often a test repeats what kills or restarts: few in make test,
// ASTERISM_ROUNDS in make soak.
func rounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("ASTERISM_ROUNDS")
	if text == "" {
		return 5
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// soaking tells whether the heavy form of a test is wanted.
func soaking() bool { return os.Getenv("ASTERISM_ROUNDS") != "" }
