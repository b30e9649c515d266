package main

import (
	"bufio"
	"fmt"
	"os"
)

// firstNumber is where the numbers begin; all have as many digits as it has, so
// that every question and every answer is of the same length.
const firstNumber = 4_930_000_000

// codecsOf gives the codecs of the i-th number: different lists of equal length.
// The peers that answer constants answer that of the first.
func codecsOf(i int) string {
	return [...]string{"opus,alaw,ulaw", "ulaw,opus,alaw", "alaw,ulaw,opus", "alaw,opus,ulaw"}[i%4]
}

// writeNumbers writes the file that asterism load reads.
func writeNumbers(path string, count int) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the numbers: %w", err)
	}
	out := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintln(out, "number,codecs")
	for i := range count {
		fmt.Fprintf(out, "%d,%q\n", firstNumber+i, codecsOf(i))
	}
	err = out.Flush() // holds the first error of all writes
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}
