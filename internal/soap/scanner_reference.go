package soap

import "unicode/utf8"

// reference adds the character that &name; or &#number; stands for.
func (s *scanner) reference() error {
	begin := s.at
	s.at++
	if s.sees("#") {
		s.at++
		return s.characterReference()
	}
	for s.at < len(s.input) && isNameByte(s.input[s.at]) {
		s.at++
	}
	if !s.sees(";") {
		s.at = begin
		return s.refuse("& must begin a reference that ends with ;")
	}
	s.at++
	var r rune
	switch string(s.input[begin:s.at]) {
	case "&amp;":
		r = '&'
	case "&lt;":
		r = '<'
	case "&gt;":
		r = '>'
	case "&quot;":
		r = '"'
	case "&apos;":
		r = '\''
	default:
		s.at = begin
		return s.refuse("an entity that is not defined; XML has amp, lt, gt, quot and apos")
	}
	return s.joinRune(r)
}

// characterReference reads from behind &# on.
func (s *scanner) characterReference() error {
	base := rune(10)
	if s.sees("x") {
		base = 16
		s.at++
	}
	begin := s.at
	var r rune
	for s.at < len(s.input) {
		digit := digitOf(s.input[s.at])
		if digit >= base {
			break
		}
		if r = r*base + digit; r > utf8.MaxRune {
			return s.refuse("a reference to a character that does not exist")
		}
		s.at++
	}
	switch {
	case s.at == begin:
		return s.refuse("a character reference without digits")
	case !s.sees(";"):
		return s.refuse("a character reference must end with ;")
	case !isCharacter(r):
		return s.refuse("a reference to a character that XML 1.0 does not allow")
	}
	s.at++
	return s.joinRune(r)
}

// digitOf is the value of a hexadecimal digit, and 16 for any other byte.
func digitOf(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return 16
}
