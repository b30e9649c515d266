package test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTheModulesCacheIsNeverWrong builds the native module's cache by itself and tries
// its rules, 10,000 fills that come too late, and threads over a directory that
// changes, with the sanitizers for memory and for threads.
func TestTheModulesCacheIsNeverWrong(t *testing.T) {
	t.Parallel()
	seed := fmt.Sprint(rand.IntN(1_000_000))
	f := func(name, sanitizers string) {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			build := exec.Command("make", "-C", filepath.Join(root, "asterisk", "test"), "SANITIZE="+sanitizers, "BUILD="+folder)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			// The thread sanitizer of older compilers doesn't know all places that memory may have.
			try := exec.CommandContext(t.Context(), "setarch", "--addr-no-randomize", filepath.Join(folder, "cache_test"), seed)
			out, err := try.CombinedOutput()
			t.Logf("seed %s: %s", seed, out)
			if err != nil {
				t.Error(err)
			}
		})
	}
	f("memory", "address,undefined")
	f("threads", "thread")
}
