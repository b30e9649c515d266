package bench

import (
	"fmt"
	"os"
	"testing"
)

// childVariable makes the test binary a child process of the kind it names.
const childVariable = "ASTERISM_BENCH_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "":
		os.Exit(m.Run())
	case "client":
		if err := Client(os.Args[1:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "complainer":
		fmt.Fprintln(os.Stderr, "this child cannot ask")
		os.Exit(3)
	case "chatterer":
		fmt.Println("Usage: something else")
	}
}
