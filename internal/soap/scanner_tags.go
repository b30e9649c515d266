package soap

import "bytes"

// startTag reads <name attribute="value"> or <name/>; the next byte is <.
func (s *scanner) startTag() (token, error) {
	switch {
	case s.elements == MaxElements:
		return 0, s.refuse("too many elements")
	case len(s.opened) == MaxDepth:
		return 0, s.refuse("elements are nested too deeply")
	}
	s.elements++
	s.at++
	begin, mark := s.at, len(s.bindings)
	prefix, local, err := s.qualifiedName()
	if err != nil {
		return 0, err
	}
	name := s.input[begin:s.at]
	if string(prefix) == "xmlns" || string(name) == "xmlns" {
		return 0, s.refuse("xmlns is no name for an element")
	}
	if err := s.readAttributes(mark); err != nil {
		return 0, err
	}
	space, err := s.resolve(prefix)
	if err != nil {
		return 0, err
	}
	if err := s.resolveAttributes(); err != nil {
		return 0, err
	}
	s.space, s.local = space, local
	s.opened = append(s.opened, element{name: name, space: space, local: local, bindings: mark})
	return startElement, nil
}

// readAttributes reads a start tag from behind its name to its end.
func (s *scanner) readAttributes(mark int) error {
	s.attributes = s.attributes[:0]
	for count := 0; ; count++ {
		blank := s.skipBlanks()
		switch {
		case s.sees(">"):
			s.at++
			return nil
		case s.sees("/>"):
			s.at += len("/>")
			s.closeNext = true
			return nil
		case s.at == len(s.input):
			return s.refuse("the document ends inside a tag")
		case !blank:
			return s.refuse("a blank, > or /> must follow here")
		case count == MaxAttributes:
			return s.refuse("an element has too many attributes")
		}
		if err := s.readAttribute(mark); err != nil {
			return err
		}
	}
}

func (s *scanner) readAttribute(mark int) error {
	prefix, local, err := s.qualifiedName()
	if err != nil {
		return err
	}
	s.skipBlanks()
	if !s.sees("=") {
		return s.refuse("an attribute needs = and a value")
	}
	s.at++
	s.skipBlanks()
	value, err := s.attributeValue()
	if err != nil {
		return err
	}
	switch {
	case string(prefix) == "xmlns":
		return s.declare(local, value, mark)
	case len(prefix) == 0 && string(local) == "xmlns":
		return s.declare(nil, value, mark)
	}
	s.attributes = append(s.attributes, attribute{prefix: prefix, local: local, value: value})
	return nil
}

// endTag reads </name>, which must be the name of the innermost open element as it was written there.
func (s *scanner) endTag() (token, error) {
	name := s.opened[len(s.opened)-1].name
	if !bytes.HasPrefix(s.input[s.at+len("</"):], name) {
		return 0, s.refuse("the end tag must be </" + string(name) + ">")
	}
	begin := s.at
	s.at += len("</") + len(name)
	s.skipBlanks()
	if !s.sees(">") {
		s.at = begin
		return 0, s.refuse("the end tag must be </" + string(name) + ">")
	}
	s.at++
	return s.pop(), nil
}

// pop closes the innermost element and ends the scope of its namespaces.
func (s *scanner) pop() token {
	last := len(s.opened) - 1
	closed := s.opened[last]
	s.opened = s.opened[:last]
	s.bindings = s.bindings[:closed.bindings]
	s.space, s.local = closed.space, closed.local
	return endElement
}
