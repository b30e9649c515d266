package soap

import "bytes"

// mediaType is a Content-Type taken apart (RFC 9110, 8.3), as far as this package needs it. What is missing is nil.
type mediaType struct {
	kind    []byte // as text/xml
	charset []byte
	action  []byte

	// Of multipart/related (RFC 2387).
	boundary, start, root, startInfo []byte
}

// parseMediaType reads a Content-Type. What is malformed behind a parameter is left out: none of them decides more
// than the body itself would.
func parseMediaType(header []byte) mediaType {
	kind, rest, _ := bytes.Cut(header, []byte(";"))
	m := mediaType{kind: trimBlanks(kind)}
	for len(rest) > 0 {
		var name, value []byte
		name, value, rest = parameterOf(rest)
		if field := m.field(name); field != nil && *field == nil { // the first of two
			*field = value
		}
	}
	return m
}

// lastType is the last Content-Type that was taken apart; clients send the same each time.
type lastType struct {
	header []byte
	kind   mediaType
}

func (l *lastType) parse(header []byte) mediaType {
	if len(header) == 0 || !bytes.Equal(header, l.header) {
		l.header = append(l.header[:0], header...)
		l.kind = parseMediaType(l.header)
	}
	return l.kind
}

// field is where the value of a parameter belongs, nil when nothing here depends on it.
func (m *mediaType) field(name []byte) *[]byte {
	switch {
	case bytes.EqualFold(name, []byte("charset")):
		return &m.charset
	case bytes.EqualFold(name, []byte("action")):
		return &m.action
	case bytes.EqualFold(name, []byte("boundary")):
		return &m.boundary
	case bytes.EqualFold(name, []byte("start")):
		return &m.start
	case bytes.EqualFold(name, []byte("type")):
		return &m.root
	case bytes.EqualFold(name, []byte("start-info")):
		return &m.startInfo
	}
	return nil
}

// parameterOf reads name=value or name="value" and answers what follows behind the next semicolon.
func parameterOf(text []byte) (name, value, rest []byte) {
	end := bytes.IndexAny(text, "=;")
	if end < 0 {
		return nil, nil, nil
	}
	name, rest = trimBlanks(text[:end]), text[end+1:]
	if text[end] == ';' {
		return nil, nil, rest
	}
	if rest = bytes.TrimLeft(rest, " \t"); len(rest) > 0 && rest[0] == '"' {
		value, rest = quotedString(rest[1:])
		_, rest, _ = bytes.Cut(rest, []byte(";"))
		return name, value, rest
	}
	value, rest, _ = bytes.Cut(rest, []byte(";"))
	return name, trimBlanks(value), rest
}

// quotedString reads up to the closing quote. Only a value with a backslash in it is copied.
func quotedString(text []byte) (value, rest []byte) {
	end := bytes.IndexAny(text, `"\\`)
	if end >= 0 && text[end] == '"' {
		return text[:end], text[end+1:]
	}
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] == '"':
			return value, text[at+1:]
		case text[at] == '\\' && at+1 < len(text):
			at++
		}
		value = append(value, text[at])
	}
	return value, nil
}

// version is the version of SOAP that the type belongs to. A package has the type of its root in it, and XOP, which is
// for both versions, has the type of the envelope.
func (m mediaType) version() Version {
	for _, kind := range [...][]byte{m.kind, m.root, m.startInfo} {
		if len(kind) == 0 {
			continue
		}
		kind, _, _ := bytes.Cut(kind, []byte(";"))
		if bytes.EqualFold(trimBlanks(kind), []byte("application/soap+xml")) {
			return SOAP12
		}
	}
	return SOAP11
}

// isPackage reports whether the body is made of parts (SOAP with attachments, MTOM). No other type is looked at: the
// envelope says what it is.
func (m mediaType) isPackage() bool {
	const multipart = "multipart/"
	return len(m.kind) >= len(multipart) && bytes.EqualFold(m.kind[:len(multipart)], []byte(multipart))
}
