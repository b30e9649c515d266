package soap

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// checkCharacters looks at every byte once, so that all that follows may work on bytes: the input is UTF-8 and holds
// only characters of XML 1.0. It takes eight bytes at a time where all are plain, which saves a sixth of the time
// that GetCodecs takes to parse (BenchmarkParseGetCodecs).
func (s *scanner) checkCharacters() *syntaxError {
	input := s.input
	for at := 0; at < len(input); {
		if len(input)-at >= 8 && arePlain(binary.LittleEndian.Uint64(input[at:])) {
			at += 8
			continue
		}
		c := input[at]
		if c >= ' ' && c < utf8.RuneSelf || isBlank(c) {
			at++
			continue
		}
		r, size := utf8.DecodeRune(input[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return &syntaxError{offset: at, text: "bytes that are not UTF-8"}
		case !isCharacter(r):
			return &syntaxError{offset: at, text: "a character that XML 1.0 does not allow"}
		}
		at += size
	}
	return nil
}

// arePlain reports whether each of eight bytes is in ASCII and no control character: then none has its highest bit
// set, and none borrows when a blank is taken from it.
func arePlain(eight uint64) bool {
	const blanks, highest = 0x2020202020202020, 0x8080808080808080
	return (eight|(eight-blanks))&highest == 0
}

// isCharacter is the production Char of XML 1.0.
func isCharacter(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xD800:
		return true
	}
	return r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= utf8.MaxRune
}

// declaration reads the byte order mark and <?xml version="1.0"?>, both of which may be missing. Whether the encoding
// that it names is the right one is not for the scanner to say.
func (s *scanner) declaration() error {
	if err := s.readDeclaration(); err != nil && s.bad == nil {
		return err
	} else if err != nil {
		return s.bad
	}
	return nil
}

func (s *scanner) readDeclaration() error {
	if s.sees("\uFEFF") {
		s.at += len("\uFEFF")
	}
	if !s.sees("<?xml") || len(s.input) > s.at+5 && isNameByte(s.input[s.at+5]) {
		return nil
	}
	s.at += len("<?xml")
	if version := s.pseudoAttribute("version"); string(version) != "1.0" {
		return s.refuse(`an XML declaration must begin with version="1.0"`)
	}
	if s.encoding = s.pseudoAttribute("encoding"); s.encoding != nil && len(s.encoding) == 0 {
		return s.refuse("the encoding in the XML declaration is empty")
	}
	if alone := s.pseudoAttribute("standalone"); alone != nil && string(alone) != "yes" && string(alone) != "no" {
		return s.refuse("standalone in the XML declaration must be yes or no")
	}
	s.skipBlanks()
	if !s.sees("?>") {
		return s.refuse("the XML declaration is malformed")
	}
	s.at += len("?>")
	return nil
}

// pseudoAttribute reads name="value" of an XML declaration; it answers nil and stays where it is when the input goes
// on with something else.
func (s *scanner) pseudoAttribute(name string) []byte {
	before := s.at
	if s.skipBlanks() && s.sees(name) {
		s.at += len(name)
		s.skipBlanks()
		if s.sees("=") {
			s.at++
			s.skipBlanks()
			if value := s.quotedLiteral(); value != nil {
				return value
			}
		}
	}
	s.at = before
	return nil
}

// quotedLiteral reads a quoted string as it stands, without references; nil when there is none.
func (s *scanner) quotedLiteral() []byte {
	if !s.sees(`"`) && !s.sees("'") {
		return nil
	}
	value := s.input[s.at+1:]
	length := bytes.IndexByte(value, s.input[s.at])
	if length < 0 {
		return nil
	}
	s.at += length + 2
	return value[:length]
}

// skipMiscellany skips one comment or processing instruction, refuses declarations, and reports whether it skipped.
// The next byte must be <.
func (s *scanner) skipMiscellany() (bool, error) {
	switch {
	case s.sees("<!--"):
		return true, s.comment()
	case s.sees("<?"):
		return true, s.instruction()
	case s.sees("<!DOCTYPE"):
		return false, s.refuse("a DOCTYPE is not accepted")
	case s.sees("<!"):
		return false, s.refuse("a declaration is not accepted")
	}
	return false, nil
}

func (s *scanner) comment() error {
	body := s.input[s.at+len("<!--"):]
	end := bytes.Index(body, []byte("--"))
	switch {
	case end < 0 || end+2 == len(body):
		return s.refuse("a comment is not closed")
	case body[end+2] != '>':
		return s.refuse("-- inside a comment")
	}
	s.at += len("<!--") + end + len("-->")
	return nil
}

func (s *scanner) instruction() error {
	begin := s.at
	s.at += len("<?")
	target, err := s.plainName()
	switch {
	case err != nil:
		return err
	case bytes.EqualFold(target, []byte("xml")):
		s.at = begin
		return s.refuse("an XML declaration that is not at the very beginning")
	case !s.skipBlanks() && !s.sees("?>"):
		return s.refuse("a blank or ?> must follow the target of a processing instruction")
	}
	end := bytes.Index(s.input[s.at:], []byte("?>"))
	if end < 0 {
		return s.refuse("a processing instruction is not closed")
	}
	s.at += end + len("?>")
	return nil
}
