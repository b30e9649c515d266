package lab_test

import (
	"fmt"
	"os"
	"testing"

	"asterism/test/lab"
)

// TestAPortIsTheTestsAlone: nobody else of the lab is given it, though nothing listens
// there yet, nor does the kernel give it to a socket that takes any port.
func TestAPortIsTheTestsAlone(t *testing.T) {
	text, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		t.Fatal(err)
	}
	var first, last int
	if _, err := fmt.Sscan(string(text), &first, &last); err != nil {
		t.Fatal(err)
	}
	given := map[int]bool{}
	for range 500 {
		port := lab.FreePort(t)
		if given[port] {
			t.Fatalf("%d is given twice", port)
		}
		given[port] = true
		if port >= first && port <= last {
			t.Fatalf("the kernel gives %d too: its range is %d to %d", port, first, last)
		}
	}
}

// TestAPortComesBack: with the test that had it ends the claim. Two tests that take more
// than half of them could not both be served otherwise.
func TestAPortComesBack(t *testing.T) {
	for range 2 {
		t.Run("takes most", func(t *testing.T) {
			for range 6000 {
				lab.FreePort(t)
			}
		})
	}
}
