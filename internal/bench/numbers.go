package bench

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// question is one phone number and what a right answer to it is.
type question struct {
	number string
	codecs string // joined by commas, in order of preference
}

// numbersFile reads the questions of a CSV file one by one.
type numbersFile struct {
	path   string
	file   *os.File
	rows   *csv.Reader
	number int
	codecs int // -1 without that column
}

func openNumbers(path string) (*numbersFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("numbers: %w", err)
	}
	rows := csv.NewReader(file)
	rows.ReuseRecord = true
	header, err := rows.Read()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("numbers file %s: header: %w; the first line must be like number,codecs", path, err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // spreadsheets put a byte order mark there
	numbers := &numbersFile{
		path:   path,
		file:   file,
		rows:   rows,
		number: slices.Index(header, "number"),
		codecs: slices.Index(header, "codecs"),
	}
	if numbers.number < 0 {
		file.Close()
		return nil, fmt.Errorf("numbers file %s: no column number; the first line must be like number,codecs", path)
	}
	return numbers, nil
}

// next returns io.EOF, bare, after the last row.
func (n *numbersFile) next() (question, error) {
	row, err := n.rows.Read()
	if errors.Is(err, io.EOF) {
		return question{}, io.EOF
	}
	if err != nil {
		return question{}, fmt.Errorf("numbers file %s: %w", n.path, err)
	}
	asked := question{number: row[n.number]}
	if asked.number == "" {
		line, _ := n.rows.FieldPos(n.number)
		return question{}, fmt.Errorf("numbers file %s, line %d: the number is empty; fill it in or remove the line", n.path, line)
	}
	if n.checked() {
		asked.codecs = row[n.codecs]
	}
	return asked, nil
}

// checked says whether the file knows the right answers.
func (n *numbersFile) checked() bool { return n.codecs >= 0 }

func (n *numbersFile) close() { n.file.Close() }

// countNumbers reads the whole file, so that a fault in it is reported once and
// before any client process has started.
func countNumbers(path string) (int, error) {
	numbers, err := openNumbers(path)
	if err != nil {
		return 0, err
	}
	defer numbers.close()
	for count := 0; ; count++ {
		_, err := numbers.next()
		switch {
		case err == io.EOF && count == 0:
			return 0, fmt.Errorf("numbers file %s: no numbers below the header; add at least one line", path)
		case err == io.EOF:
			return count, nil
		case err != nil:
			return 0, err
		case count == math.MaxUint32:
			return 0, fmt.Errorf("numbers file %s: more than %d lines", path, uint32(math.MaxUint32))
		}
	}
}

// draw is what one client process is going to ask, chosen before the start so
// that the loop only asks. It keeps the drawn rows and not the whole file: the
// memory and the cache misses of a client must not grow with the directory.
type draw struct {
	questions []question
	order     []uint32 // indexes into questions, one per request
	checked   bool
}

// drawNumbers chooses requests rows out of the file's rows, uniformly and with
// repetition.
func drawNumbers(path string, rows, requests int, chance *rand.Rand) (draw, error) {
	numbers, err := openNumbers(path)
	if err != nil {
		return draw{}, err
	}
	defer numbers.close()
	drawn := draw{order: make([]uint32, requests), checked: numbers.checked()}
	for i := range drawn.order {
		drawn.order[i] = uint32(chance.Uint64N(uint64(rows)))
	}
	wanted := slices.Clone(drawn.order)
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	drawn.questions = make([]question, 0, len(wanted))
	for row := uint32(0); len(drawn.questions) < len(wanted); row++ {
		asked, err := numbers.next()
		if err == io.EOF {
			return draw{}, fmt.Errorf("numbers file %s became shorter while it was in use; start again", path)
		}
		if err != nil {
			return draw{}, err
		}
		if row == wanted[len(drawn.questions)] {
			// Cloned, since a field would keep its whole line alive.
			drawn.questions = append(drawn.questions, question{strings.Clone(asked.number), strings.Clone(asked.codecs)})
		}
	}
	for i, row := range drawn.order {
		at, _ := slices.BinarySearch(wanted, row)
		drawn.order[i] = uint32(at)
	}
	return drawn, nil
}
