// Command asterism is the whole product: see package cli.
package main

import (
	"context"
	"os"

	"asterism/internal/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
