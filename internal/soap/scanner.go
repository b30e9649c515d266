package soap

import "strconv"

// token is what the scanner found.
type token uint8

const (
	endOfDocument token = iota
	startElement
	endElement
	characters
)

// scanner pulls one token after the other out of a document that is wholly in memory. Comments and processing
// instructions are checked and left out, and the text around them and around CDATA sections is one token.
//
// Slices point into the input, or into the arena where a reference or a line end changed the text. Nothing in the
// arena is overwritten before the next open, so all of them stay valid as long as the input does.
type scanner struct {
	input    []byte
	at       int
	bad      *syntaxError // the character that the input was cut off at
	encoding []byte       // what the declaration says

	// What next found: names for startElement and endElement, attributes for startElement, text for characters.
	space, local []byte
	attributes   []attribute
	text         []byte

	opened    []element // the elements that are open, outermost first
	bindings  []binding // the namespaces in scope, innermost last
	elements  int       // how many elements have begun
	closeNext bool      // the last tag was <a/>, its end is due

	arena  []byte
	joined joined
}

// attribute is an attribute that is no declaration of a namespace.
type attribute struct {
	prefix, space, local, value []byte
}

// element is an open element: its name as it was written, for the end tag, its resolved name, and how many bindings
// were in scope before it.
type element struct {
	name, space, local []byte
	bindings           int
}

// syntaxError says where and why the scanner refused the input.
type syntaxError struct {
	offset int // bytes from the beginning
	text   string
}

func (e *syntaxError) Error() string {
	return "at byte " + strconv.Itoa(e.offset) + ": " + e.text
}

// open begins a new document in UTF-8 and checks its characters. The declaration must be read next. What stands before
// a bad character is read as if nothing were wrong, but the end is never reached: next says so instead.
func (s *scanner) open(input []byte) {
	s.release()
	s.input = input
	s.bindXML()
	if bad := s.checkCharacters(); bad != nil {
		s.input, s.bad = input[:bad.offset], bad
	}
}

// release forgets the document and keeps the memory for the next one.
func (s *scanner) release() {
	s.input, s.at, s.bad, s.encoding = nil, 0, nil, nil
	s.space, s.local, s.text = nil, nil, nil
	s.attributes = s.attributes[:0]
	s.opened, s.bindings = s.opened[:0], s.bindings[:0]
	s.elements, s.closeNext = 0, false
	if cap(s.arena) > keepArena {
		s.arena = nil
	}
	s.arena, s.joined = s.arena[:0], joined{}
}

// next finds the next token. After an error or endOfDocument it must not be called again.
func (s *scanner) next() (token, error) {
	found, err := s.scan()
	if s.bad != nil && (err != nil || found == endOfDocument) {
		return 0, s.bad
	}
	return found, err
}

func (s *scanner) scan() (token, error) {
	switch {
	case s.closeNext:
		s.closeNext = false
		return s.pop(), nil
	case len(s.opened) == 0:
		return s.outside()
	}
	found, err := s.characterData()
	switch {
	case err != nil:
		return 0, err
	case found:
		return characters, nil
	case s.sees("</"):
		return s.endTag()
	}
	return s.startTag()
}

// outside reads what stands before and after the document element.
func (s *scanner) outside() (token, error) {
	for {
		s.skipBlanks()
		switch {
		case s.at == len(s.input) && s.elements == 0:
			return 0, s.refuse("the document has no element")
		case s.at == len(s.input):
			return endOfDocument, nil
		case s.input[s.at] != '<':
			return 0, s.refuse("text outside the document element")
		}
		skipped, err := s.skipMiscellany()
		switch {
		case err != nil:
			return 0, err
		case skipped:
		case s.elements > 0:
			return 0, s.refuse("more markup after the end of the document element")
		default:
			return s.startTag()
		}
	}
}

// sees reports whether the input goes on with text.
func (s *scanner) sees(text string) bool {
	rest := s.input[s.at:]
	return len(rest) >= len(text) && string(rest[:len(text)]) == text
}

// skipBlanks reports whether there was white space to skip.
func (s *scanner) skipBlanks() bool {
	before := s.at
	for s.at < len(s.input) && isBlank(s.input[s.at]) {
		s.at++
	}
	return s.at > before
}

// refuse makes the error for the byte that comes next.
func (s *scanner) refuse(text string) error {
	return &syntaxError{offset: s.at, text: text}
}

func isBlank(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r'
}

func onlyBlanks(text []byte) bool {
	for _, c := range text {
		if !isBlank(c) {
			return false
		}
	}
	return true
}
