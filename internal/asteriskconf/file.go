package asteriskconf

import (
	"fmt"
	"strings"
)

// Position is a line of a file. File is relative to the folder where it lies in it.
type Position struct {
	File string
	Line int
}

// String gives FILE:LINE.
func (p Position) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Level says what a note means for Asterisk.
type Level uint8

const (
	Remark  Level = iota // nothing is lost
	Warning              // Asterisk drops the line and goes on
	Error                // Asterisk refuses the whole file
)

// Note is what a person should know of a line.
type Note struct {
	Position
	Level Level
	Text  string
}

// Variable is one line "name = value" of a section.
type Variable struct {
	Position
	Name, Value string
	Inherited   bool // copied from another section
}

// Section is what stands below one [name], with what it inherits before its own.
type Section struct {
	Position
	Name      string
	Template  bool
	Variables []Variable
}

// Values gives the values of all variables of a name, in their order.
func (s *Section) Values(name string) []string {
	var out []string
	for _, v := range s.Variables {
		if strings.EqualFold(v.Name, name) {
			out = append(out, v.Value)
		}
	}
	return out
}

// Last gives the last variable of a name.
func (s *Section) Last(name string) (Variable, bool) {
	for i := len(s.Variables) - 1; i >= 0; i-- {
		if strings.EqualFold(s.Variables[i].Name, name) {
			return s.Variables[i], true
		}
	}
	return Variable{}, false
}

// File is a file with all that it includes.
type File struct {
	Name     string
	Sections []*Section // templates too, in the order in which they were opened
	Notes    []Note
}

// Refused tells whether Asterisk would read nothing of the file.
func (f *File) Refused() bool {
	for _, note := range f.Notes {
		if note.Level == Error {
			return true
		}
	}
	return false
}

// Named gives the sections of one of the names that are no templates.
func (f *File) Named(names ...string) []*Section {
	var out []*Section
	for _, s := range f.Sections {
		for _, name := range names {
			if !s.Template && strings.EqualFold(s.Name, name) {
				out = append(out, s)
				break
			}
		}
	}
	return out
}
