package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// kind is what stands on the right of a key, in words for a fault.
type kind string

const (
	kindText     kind = "text"
	kindList     kind = "a list"
	kindSection  kind = "a section"
	kindSections kind = "a list of sections"
	kindNumber   kind = "a number"
	kindBool     kind = "true or false"
	kindTime     kind = "a date or time"
)

// value is a value of the file, or an element of a list in it.
type value struct {
	line  int
	kind  kind
	text  string  // of kindText
	items []value // of kindList
}

// setting is one key of the file with its value. A [section] header and an
// inline table are settings of kindSection, followed by those inside it.
type setting struct {
	path []string
	value
}

// scan lists the settings of text in the order of the file. go-toml decodes
// into Go values without their lines, and stops at the first value of a wrong
// type; so it only judges here whether text is TOML (syntax, keys and tables
// given twice), and the settings are read from its syntax tree.
func scan(text []byte) ([]setting, *Fault) {
	var document map[string]any
	if err := toml.Unmarshal(text, &document); err != nil {
		return nil, syntaxFault(err)
	}
	s := scanner{breaks: breaksOf(text)}
	s.parser.Reset(text)
	var section []string
	for s.parser.NextExpression() {
		node := s.parser.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			section = s.header(node)
		case unstable.KeyValue:
			s.keyValue(section, node)
		}
	}
	if err := s.parser.Error(); err != nil {
		return nil, syntaxFault(err)
	}
	return s.settings, nil
}

// syntaxFault takes the message alone: go-toml's excerpt of the file would show
// the lines around the fault, and a password may be among them.
func syntaxFault(err error) *Fault {
	problem := strings.TrimPrefix(err.Error(), "toml: ")
	if strings.ContainsFunc(problem, func(c rune) bool { return !unicode.IsPrint(c) }) {
		problem = quoted(problem) // it names a key that would break the line
	}
	fault := &Fault{Problem: problem, Remedy: `write [section], or key = "text", each once`}
	var decoding *toml.DecodeError
	if errors.As(err, &decoding) {
		fault.Line, _ = decoding.Position()
	}
	return fault
}

type scanner struct {
	parser   unstable.Parser
	breaks   []int // offsets of the line ends
	settings []setting
}

// header appends the setting of a [section] or [[section]] and returns its path.
func (s *scanner) header(node *unstable.Node) []string {
	path, line := s.path(nil, node.Key())
	v := value{line: line, kind: kindSection}
	if node.Kind == unstable.ArrayTable {
		v.kind = kindSections
	}
	s.settings = append(s.settings, setting{path, v})
	return path
}

// keyValue appends the setting of one `key = value`, and those inside an inline table.
func (s *scanner) keyValue(section []string, node *unstable.Node) {
	path, line := s.path(section, node.Key())
	s.settings = append(s.settings, setting{path, s.value(node.Value(), line)})
	if node.Value().Kind != unstable.InlineTable {
		return
	}
	for children := node.Value().Children(); children.Next(); {
		s.keyValue(path, children.Node())
	}
}

// depthLimit is how many parts of a key are kept. No key that is known has more
// than four; a file of very deep sections must not cost memory for each of its keys.
const depthLimit = 8

// path returns section and key as one path, and the line where the key starts.
func (s *scanner) path(section []string, key unstable.Iterator) (path []string, line int) {
	path = slices.Clone(section)
	for key.Next() {
		if line == 0 {
			line = s.line(key.Node().Raw)
		}
		if len(path) < depthLimit {
			path = append(path, string(key.Node().Data))
		}
	}
	return path, line
}

// value reads a node; line is where it stands if the node does not know itself.
func (s *scanner) value(node *unstable.Node, line int) value {
	if node.Raw.Length > 0 {
		line = s.line(node.Raw)
	}
	v := value{line: line, kind: kindOf(node.Kind)}
	switch v.kind {
	case kindText:
		v.text = string(node.Data)
	case kindList:
		for elements := node.Children(); elements.Next(); {
			if elements.Node().Kind != unstable.Comment {
				v.items = append(v.items, s.value(elements.Node(), line))
			}
		}
	}
	return v
}

func kindOf(k unstable.Kind) kind {
	switch k {
	case unstable.String:
		return kindText
	case unstable.Array:
		return kindList
	case unstable.InlineTable:
		return kindSection
	case unstable.Integer, unstable.Float:
		return kindNumber
	case unstable.Bool:
		return kindBool
	case unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime, unstable.DateTime:
		return kindTime
	}
	panic(fmt.Sprintf("config: TOML value of kind %s", k))
}

func (s *scanner) line(place unstable.Range) int {
	before, _ := slices.BinarySearch(s.breaks, int(place.Offset))
	return before + 1
}

func breaksOf(text []byte) []int {
	breaks := make([]int, 0, bytes.Count(text, []byte{'\n'}))
	for i, b := range text {
		if b == '\n' {
			breaks = append(breaks, i)
		}
	}
	return breaks
}
