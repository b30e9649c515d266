package access

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Subject is the name in a certificate, in the one spelling in which subjects are
// compared: attributes sorted, names in capitals, no blanks around them. Tools
// write the attributes from the left or from the right, with blanks or without
// (RFC 4514 begins with the last, openssl with the first).
type Subject string

// ParseSubject reads a subject such as "CN=berlin,O=Example" or, as openssl
// writes it, "O = Example, CN = berlin".
func ParseSubject(text string) (Subject, error) {
	var attributes []string
	for _, part := range parts(text) {
		name, value, found := strings.Cut(part, "=")
		name, value = strings.ToUpper(strings.TrimSpace(name)), trimmed(value)
		if !found || name == "" || value == "" {
			return "", fmt.Errorf("%q is not NAME=VALUE", strings.TrimSpace(part))
		}
		plain, err := unescaped(value)
		if err != nil {
			return "", err
		}
		attributes = append(attributes, fmt.Sprintf("%s=%q", name, plain))
	}
	slices.Sort(attributes)
	return Subject(strings.Join(attributes, ",")), nil
}

// parts cuts at commas and pluses that are neither escaped nor in quotes.
func parts(text string) (out []string) {
	begin, quoted := 0, false
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\\':
			at++
		case c == '"':
			quoted = !quoted
		case (c == ',' || c == '+') && !quoted:
			out = append(out, text[begin:at])
			begin = at + 1
		}
	}
	return append(out, text[begin:])
}

// trimmed takes the blanks around a value away, but for one that is escaped.
func trimmed(value string) string {
	value = strings.TrimLeft(value, " ")
	short := strings.TrimRight(value, " ")
	backslashes := len(short) - len(strings.TrimRight(short, `\`))
	if backslashes%2 == 1 && len(short) < len(value) {
		return value[:len(short)+1]
	}
	return short
}

// unescaped takes the quotes and the escapes of RFC 4514 out of a value.
func unescaped(value string) (string, error) {
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		value = value[1 : len(value)-1]
	}
	var plain strings.Builder
	for at := 0; at < len(value); at++ {
		if value[at] != '\\' {
			plain.WriteByte(value[at])
			continue
		}
		rest := value[at+1:]
		if len(rest) >= 2 {
			if pair, err := hex.DecodeString(rest[:2]); err == nil {
				plain.Write(pair)
				at += 2
				continue
			}
		}
		if rest == "" {
			return "", errors.New("it ends with a backslash")
		}
		plain.WriteByte(rest[0])
		at++
	}
	return plain.String(), nil
}
