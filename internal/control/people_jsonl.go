package control

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"asterism/internal/family"
)

// maxLine bounds a line of JSON, in bytes.
const maxLine = 1 << 20

// jsonLines reads one JSON object per line. Objects may have different columns;
// blank lines are skipped.
type jsonLines struct {
	reader *bufio.Reader
	family *family.Family
	shapes map[string]jsonShape // by the places of the columns, ascending
	number int64
	read   int64

	long  []byte   // a line longer than the reader's buffer
	given []int    // places of the columns of this line's object
	texts []string // of this line's object, by place of the column
	row   []string // of this line, by shape
	set   []byte   // scratch for the name of a shape
}

// jsonShape is a shape, or why rows of it are bad.
type jsonShape struct {
	*shape
	bad string
}

func newJSONLines(from io.Reader, f *family.Family) *jsonLines {
	j := &jsonLines{reader: bufio.NewReaderSize(from, sourceBuffer), family: f, shapes: make(map[string]jsonShape), texts: make([]string, len(f.Columns))}
	j.read = skipMark(j.reader)
	return j
}

// next implements lines.
func (j *jsonLines) next() (line, error) {
	for {
		text, err := j.readLine()
		if err != nil {
			return line{}, err
		}
		if len(text) > maxLine {
			return line{number: j.number, bad: fmt.Sprintf("longer than %d bytes", maxLine)}, nil
		}
		if text = bytes.Trim(text, " \t\r\n"); len(text) > 0 { // what JSON takes for a blank
			return j.line(text), nil
		}
	}
}

// offset implements lines.
func (j *jsonLines) offset() int64 { return j.read }

// part implements lines.
func (j *jsonLines) part(piece io.Reader) lines {
	return &jsonLines{reader: bufio.NewReader(piece), family: j.family, shapes: j.shapes, texts: j.texts}
}

// readLine reads one line, which holds until the next call, and io.EOF after the
// last. Of a line that is too long it gives a beginning that is too long as well.
func (j *jsonLines) readLine() ([]byte, error) {
	text, err := j.reader.ReadSlice('\n')
	j.read += int64(len(text))
	j.number++
	if !errors.Is(err, bufio.ErrBufferFull) {
		if errors.Is(err, io.EOF) && len(text) > 0 {
			err = nil
		}
		return text, err
	}
	j.long = append(j.long[:0], text...)
	for errors.Is(err, bufio.ErrBufferFull) {
		text, err = j.reader.ReadSlice('\n')
		j.read += int64(len(text))
		if len(j.long) <= maxLine {
			j.long = append(j.long, text...)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return j.long, err
}

// line makes a row of an object.
func (j *jsonLines) line(object []byte) line {
	out := line{number: j.number}
	j.given = j.given[:0]
	var problems []string
	out.bad = readObject(object, func(name, text, problem string) {
		if problem = j.member(name, text, problem); problem != "" {
			problems = append(problems, problem)
		}
	})
	if out.bad == "" {
		out.bad = strings.Join(problems, "; ")
	}
	if out.bad != "" {
		return out
	}
	shape := j.shape()
	out.shape, out.bad = shape.shape, shape.bad
	j.row = j.row[:0]
	for _, at := range j.given {
		j.row = append(j.row, j.texts[at])
	}
	out.texts = append(j.row, shape.defaults...)
	j.row = out.texts
	return out
}

// member notes a member of this line's object, or says what is wrong with it.
func (j *jsonLines) member(name, text, problem string) string {
	at, known := j.family.Position(name)
	switch {
	case !known:
		return noColumn(j.family, name) + inBrackets(columnHint(j.family, name))
	case slices.Contains(j.given, at):
		return name + ": stands there twice"
	case problem != "":
		return name + ": " + problem
	}
	j.given = append(j.given, at)
	j.texts[at] = text
	return ""
}

func inBrackets(hint string) string {
	if hint == "" {
		return ""
	}
	return " (" + hint + ")"
}

// shape finds the shape of this line's columns and puts them into its order.
func (j *jsonLines) shape() jsonShape {
	slices.Sort(j.given)
	j.set = j.set[:0]
	for _, at := range j.given {
		j.set = append(j.set, byte(at), byte(at>>8))
	}
	if known, ok := j.shapes[string(j.set)]; ok {
		return known
	}
	names := make([]string, len(j.given))
	for i, at := range j.given {
		names[i] = j.family.Columns[at].Name
	}
	made, missing := newShape(j.family, names)
	out := jsonShape{shape: made}
	if len(missing) > 0 {
		out.bad = strings.Join(missing, ", ") + " missing, but part of the key"
	}
	if len(names) == 0 && out.bad == "" {
		out.bad = "an object without a column"
	}
	j.shapes[string(j.set)] = out
	return out
}
