package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"

	"asterism/internal/control"
	"asterism/internal/failure"
	"asterism/internal/number"
	"asterism/internal/store"
)

// benchNumbers is how many numbers of the store a measurement asks for at most.
const benchNumbers = 20_000

// errEnough ends the reading of numbers.
var errEnough = errors.New("enough numbers")

// numbersOfStore writes numbers of the store, with the answers that they must
// get, into a temporary file that the caller removes.
func numbersOfStore(ctx context.Context, from *configured) (path string, err error) {
	file, err := os.CreateTemp("", "asterism-bench-*.csv")
	if err != nil {
		return "", fmt.Errorf("write the numbers to ask for: %w", err)
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	out := csv.NewWriter(file)
	err = from.people(ctx, func(p *control.People) error { return writeNumbers(ctx, p, out) })
	out.Flush()
	return file.Name(), errors.Join(err, out.Error())
}

// writeNumbers takes the numbers that every client gets the same answer for:
// shared ones that are enabled and have codecs.
func writeNumbers(ctx context.Context, p *control.People, out *csv.Writer) error {
	if err := out.Write([]string{"number", "codecs"}); err != nil {
		return fmt.Errorf("write the numbers to ask for: %w", err)
	}
	written := 0
	err := p.List(ctx, number.Family, []store.Text{{Column: "tenant"}}, 0, func(row []store.Text) error {
		digits, codecs := askable(row)
		if digits == "" || codecs == "" {
			return nil
		}
		if err := out.Write([]string{digits, codecs}); err != nil {
			return fmt.Errorf("write the numbers to ask for: %w", err)
		}
		if written++; written == benchNumbers {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if written == 0 {
		return &failure.Error{
			Kind: failure.Absent, Message: "bench: no numbers with codecs in the store to ask for",
			Hint: "load some with asterism load numbers FILE, or name a file with --numbers",
		}
	}
	return nil
}

// askable gives a number and its codecs; none when it may not be enabled.
func askable(row []store.Text) (digits, codecs string) {
	for _, text := range row {
		switch text.Column {
		case "number":
			digits = text.Text
		case "codecs":
			codecs = text.Text
		case "enabled":
			if text.Text != "yes" {
				return "", ""
			}
		}
	}
	return digits, codecs
}
