package asteriskconf

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
)

// longLine is what Asterisk's line buffer holds, the line end included: a line
// that fills it without coming to its end is skipped.
const longLine = 8191

var (
	errTooMany = errors.New("more files or bytes than are read at once")
	byteOrder  = []byte("\xef\xbb\xbf")
)

// reading is the state while one File is read.
type reading struct {
	folder    *Folder
	file      *File
	named     map[string][]*Section // by name in lower case
	current   *Section              // what an included file starts in
	depth     int
	opened    int
	bytes     int
	inherited int
}

// open reads the text of one file within the limits.
func (r *reading) open(at string) ([]byte, error) {
	found, err := fs.Stat(r.folder.root, at)
	if err != nil {
		return nil, plain(err)
	}
	if !found.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	r.opened++
	r.bytes += int(min(found.Size(), int64(r.folder.limits.bytes)+1))
	if r.opened > r.folder.limits.files || r.bytes > r.folder.limits.bytes {
		return nil, errTooMany
	}
	text, err := fs.ReadFile(r.folder.root, at)
	return text, plain(err)
}

// plain takes the path out of an error, since the message has it already.
func plain(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

func (r *reading) note(at Position, level Level, format string, arguments ...any) {
	r.file.Notes = append(r.file.Notes, Note{Position: at, Level: level, Text: fmt.Sprintf(format, arguments...)})
}

// lines reads the lines of one text. Its sections are those of the file that
// includes it, but what follows the include goes on in the includer's section.
func (r *reading) lines(file string, text []byte) {
	if trimmed, ok := bytes.CutPrefix(text, byteOrder); ok {
		text = trimmed
		r.note(Position{file, 1}, Remark, "a UTF-8 byte order mark is left out")
	}
	p := parser{reading: r, section: r.current}
	at := Position{File: file}
	for len(text) > 0 {
		at.Line++
		var line []byte
		line, text = chunk(text)
		if !cut(line) {
			p.line(at, string(bytes.TrimRight(line, "\r\n")))
			continue
		}
		r.note(at, Warning, "line of %d bytes or more skipped, as Asterisk does; it begins with %.32q", longLine, line)
		for cut(line) && len(text) > 0 {
			line, text = chunk(text)
		}
	}
	if open := p.comment.open; len(open) > 0 {
		r.note(open[len(open)-1], Warning, "the comment that begins here with ;-- has no end --;")
	}
}

// cut tells whether a chunk is not all of its line.
func cut(line []byte) bool { return len(line) == longLine && line[len(line)-1] != '\n' }

// chunk takes from the text what Asterisk reads at once: up to and with the line
// end, but no more than its buffer holds.
func chunk(text []byte) (line, rest []byte) {
	end := bytes.IndexByte(text, '\n') + 1
	if end == 0 {
		end = len(text)
	}
	end = min(end, longLine)
	return text[:end], text[end:]
}
