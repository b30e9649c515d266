package soap

import "bytes"

// xmlNamespace is what the prefix xml is bound to, always and without a declaration.
const xmlNamespace = "http://www.w3.org/XML/1998/namespace"

// xmlnsNamespace is the namespace of declarations; nothing may be bound to it.
const xmlnsNamespace = "http://www.w3.org/2000/xmlns/"

// binding is a declaration of a namespace; the default namespace has the empty prefix.
type binding struct {
	prefix, space []byte
}

// plainName reads a name without a colon.
func (s *scanner) plainName() ([]byte, error) {
	rest := s.input[s.at:]
	if len(rest) == 0 || !isNameStart(rest[0]) {
		return nil, s.refuse("a name must begin here, with an ASCII letter or _")
	}
	length := 1
	for length < len(rest) && isNameByte(rest[length]) {
		length++
	}
	s.at += length
	if length > MaxName {
		return nil, s.refuse("a name is too long")
	}
	return rest[:length], nil
}

// qualifiedName reads a name with or without a prefix.
func (s *scanner) qualifiedName() (prefix, local []byte, err error) {
	if local, err = s.plainName(); err != nil || !s.sees(":") {
		return nil, local, err
	}
	prefix = local
	s.at++
	if local, err = s.plainName(); err != nil {
		return nil, nil, err
	}
	if len(prefix)+1+len(local) > MaxName {
		return nil, nil, s.refuse("a name is too long")
	}
	return prefix, local, nil
}

// declare brings a namespace into scope for the element that began when there were only mark bindings.
func (s *scanner) declare(prefix, space []byte, mark int) error {
	for _, other := range s.bindings[mark:] {
		if bytes.Equal(other.prefix, prefix) {
			return s.refuse("one namespace prefix is declared twice in one element")
		}
	}
	switch {
	case len(s.bindings) == MaxNamespaces:
		return s.refuse("too many namespaces are declared")
	case len(space) > MaxNamespace:
		return s.refuse("the name of a namespace is too long")
	case len(space) == 0 && len(prefix) > 0:
		return s.refuse("a prefix must not be bound to an empty namespace")
	case string(prefix) == "xmlns" || string(space) == xmlnsNamespace:
		return s.refuse("the prefix xmlns and its namespace must not be declared")
	case (string(prefix) == "xml") != (string(space) == xmlNamespace):
		return s.refuse("the prefix xml and its namespace belong together")
	}
	s.bindings = append(s.bindings, binding{prefix: prefix, space: space})
	return nil
}

// resolve finds the namespace of an element's prefix, the empty one included.
func (s *scanner) resolve(prefix []byte) ([]byte, error) {
	for i := len(s.bindings) - 1; i >= 0; i-- {
		if bytes.Equal(s.bindings[i].prefix, prefix) {
			return s.bindings[i].space, nil
		}
	}
	if len(prefix) == 0 {
		return nil, nil
	}
	return nil, s.refuse("the prefix " + string(prefix) + " is not declared")
}

// bindXML brings the one prefix into scope that needs no declaration.
func (s *scanner) bindXML() {
	s.bindings = append(s.bindings, binding{prefix: s.keep("xml"), space: s.keep(xmlNamespace)})
}

// resolveAttributes gives the attributes of an element their namespaces, once all of its declarations are known, and
// refuses two of the same name. The default namespace is not for attributes.
func (s *scanner) resolveAttributes() error {
	for i := range s.attributes {
		a := &s.attributes[i]
		if len(a.prefix) > 0 {
			space, err := s.resolve(a.prefix)
			if err != nil {
				return err
			}
			a.space = space
		}
		for _, other := range s.attributes[:i] {
			if bytes.Equal(other.local, a.local) && bytes.Equal(other.space, a.space) {
				return s.refuse("the attribute " + string(a.local) + " is given twice")
			}
		}
	}
	return nil
}

func isNameStart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

func isNameByte(c byte) bool {
	return isNameStart(c) || '0' <= c && c <= '9' || c == '-' || c == '.'
}
