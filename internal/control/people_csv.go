package control

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"asterism/internal/failure"
	"asterism/internal/family"
)

// sourceBuffer is how much of a source is read at once, in bytes.
const sourceBuffer = 256 << 10

// csvLines reads CSV whose first line names the columns (RFC 4180; a byte order
// mark and lines ended by CRLF are accepted).
type csvLines struct {
	reader *csv.Reader
	before int64 // bytes before what the reader reads
	shape  *shape
	texts  []string // of one row, defaults of the shape behind
}

// newCSVLines reads the header. Its faults are those of the whole load.
func newCSVLines(attempted string, from io.Reader, f *family.Family) (*csvLines, error) {
	buffered := bufio.NewReaderSize(from, sourceBuffer)
	c := &csvLines{before: skipMark(buffered), reader: newCSVReader(buffered)}
	header, err := c.reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, &failure.Error{Kind: failure.Invalid, Field: "header", Message: attempted + ": the file is empty", Hint: "its first line must name the columns, like " + strings.Join(f.Key, ",")}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: read the header: %w", attempted, err)
	}
	names := make([]string, len(header))
	for i, name := range header {
		names[i] = strings.TrimSpace(name)
	}
	var faults Faults
	c.shape, faults = headerShape(attempted+", header", f, names)
	c.texts = make([]string, len(c.shape.names))
	copy(c.texts[c.shape.given():], c.shape.defaults)
	return c, faults.err()
}

func newCSVReader(from io.Reader) *csv.Reader {
	reader := csv.NewReader(from)
	reader.ReuseRecord = true
	reader.FieldsPerRecord = -1 // counted here, to say it line by line
	return reader
}

// headerShape makes a shape of a header and says all that is wrong with it.
func headerShape(attempted string, f *family.Family, names []string) (*shape, Faults) {
	var faults Faults
	var known []string
	for i, name := range names {
		switch _, ok := f.Position(name); {
		case name == "":
			faults.add(attempted, fmt.Sprint("column ", i+1), "has no name; is there a comma too many?")
		case !ok:
			faults = append(faults, unknownHeader(attempted, f, name))
		case slices.Contains(names[:i], name):
			faults.add(attempted, name, "stands there twice")
		default:
			known = append(known, name)
		}
	}
	s, missing := newShape(f, known)
	for _, name := range missing {
		faults.add(attempted, name, "is missing, but it is part of the key")
	}
	return s, faults
}

// unknownHeader is unknownColumn for a header, which may also be divided by
// what spreadsheets use in some countries.
func unknownHeader(attempted string, f *family.Family, name string) *failure.Error {
	fault := unknownColumn(attempted, f, name)
	if strings.ContainsAny(name, ";\t") {
		fault.Hint = "divide the columns by commas"
	}
	return fault
}

// next implements lines.
func (c *csvLines) next() (line, error) {
	record, err := c.reader.Read()
	var broken *csv.ParseError
	if errors.As(err, &broken) && broken.Line > broken.StartLine {
		// Which rows it swallowed nobody can tell: no skipping over that.
		return line{}, &failure.Error{
			Kind: failure.Invalid, Message: fmt.Sprintf("lines %d to %d: %s", broken.StartLine, broken.Line, csvProblem(broken)),
			Hint: fmt.Sprintf("mend the quotes of line %d", broken.StartLine),
		}
	}
	if errors.As(err, &broken) {
		return line{number: int64(broken.StartLine), bad: csvProblem(broken)}, nil
	}
	if err != nil {
		return line{}, err
	}
	number, _ := c.reader.FieldPos(0)
	if len(record) != c.shape.given() {
		return line{number: int64(number), bad: fmt.Sprintf("%d values where the header has %d columns", len(record), c.shape.given())}, nil
	}
	copy(c.texts, record)
	return line{number: int64(number), shape: c.shape, texts: c.texts}, nil
}

// csvProblem explains what people get wrong about quotes.
func csvProblem(broken *csv.ParseError) string {
	switch {
	case errors.Is(broken.Err, csv.ErrBareQuote):
		return `a quote inside a value: put the whole value in quotes and double the ones inside`
	case errors.Is(broken.Err, csv.ErrQuote):
		return `a quoted value that does not end, or goes on behind its quote: double the quotes inside it`
	}
	return broken.Err.Error()
}

// offset implements lines.
func (c *csvLines) offset() int64 { return c.before + c.reader.InputOffset() }

// part implements lines.
func (c *csvLines) part(piece io.Reader) lines {
	return &csvLines{reader: newCSVReader(piece), shape: c.shape, texts: c.texts}
}

// skipMark skips the byte order mark that spreadsheets put before UTF-8 and
// gives its length.
func skipMark(from *bufio.Reader) int64 {
	mark, err := from.Peek(len("\ufeff"))
	if err != nil || string(mark) != "\ufeff" {
		return 0
	}
	skipped, _ := from.Discard(len(mark)) // they are in the buffer
	return int64(skipped)
}
