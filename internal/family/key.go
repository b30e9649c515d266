package family

import (
	"fmt"
	"strconv"
	"strings"
)

// AppendKey appends a row key: the JSON array of the key columns' text, spelled
// as SQLite's json_array does: no blanks, UTF-8 as it is, only `"`, `\` and
// control characters escaped. One spelling on all engines, so that keys compare
// as bytes.
func AppendKey(dst []byte, values ...string) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendQuoted(dst, v)
	}
	return append(dst, ']')
}

func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b >= 0x20:
			dst = append(dst, b)
		case b == '\b':
			dst = append(dst, '\\', 'b')
		case b == '\t':
			dst = append(dst, '\\', 't')
		case b == '\n':
			dst = append(dst, '\\', 'n')
		case b == '\f':
			dst = append(dst, '\\', 'f')
		case b == '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		}
	}
	return append(dst, '"')
}

// SplitKey gives the texts that a row key holds, byte for byte: a table may hold
// keys that are not UTF-8, which a JSON library would mend and so not find again.
func SplitKey(key string) ([]string, error) {
	rest, ok := strings.CutPrefix(key, "[")
	if !ok {
		return nil, fmt.Errorf("row key %q: no list", key)
	}
	out := []string{}
	for rest != "]" {
		if len(out) > 0 {
			if rest, ok = strings.CutPrefix(rest, ","); !ok {
				return nil, fmt.Errorf("row key %q: no comma after value %d", key, len(out))
			}
		}
		text, after, ok := cutQuoted(rest)
		if !ok {
			return nil, fmt.Errorf("row key %q: value %d is no text", key, len(out)+1)
		}
		out, rest = append(out, text), after
	}
	return out, nil
}

// cutQuoted takes a quoted text off the front of what appendQuoted spelled.
func cutQuoted(s string) (text, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", s, false
	}
	var out []byte
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return string(out), s[i+1:], true
		case '\\':
			b, size, good := unescape(s[i+1:])
			if !good {
				return "", s, false
			}
			out, i = append(out, b), i+size
		default:
			out = append(out, s[i])
		}
	}
	return "", s, false
}

// unescape reads what follows a backslash, and how many bytes that is.
func unescape(s string) (b byte, size int, ok bool) {
	if s == "" {
		return 0, 0, false
	}
	switch s[0] {
	case 'b':
		return '\b', 1, true
	case 't':
		return '\t', 1, true
	case 'n':
		return '\n', 1, true
	case 'f':
		return '\f', 1, true
	case 'r':
		return '\r', 1, true
	case 'u':
		if len(s) < 5 {
			return 0, 0, false
		}
		code, err := strconv.ParseUint(s[1:5], 16, 8)
		return byte(code), 5, err == nil && code < 0x20
	}
	return s[0], 1, s[0] == '"' || s[0] == '\\'
}

// TypedKey reads a key as people type it: the key columns' values joined by
// ",", a comma inside as %2C, ";" meaning ^3B. Of numbers the tenant may be
// left out. It gives the texts as SQL holds them, in the order of Key.
func (f *Family) TypedKey(typed string) ([]string, error) {
	pieces := strings.Split(typed, ",")
	if f.Name == "numbers" && len(pieces) == 1 {
		pieces = []string{"", pieces[0]}
	}
	if len(f.Key) == 0 {
		return nil, fmt.Errorf("family %s has no key; list it and change it in SQL", f.Name)
	}
	if len(pieces) != len(f.Key) {
		return nil, fmt.Errorf("key %q of %s: %d values where %s takes %d (%s); write a comma inside a value as %%2C",
			typed, f.Name, len(pieces), f.Name, len(f.Key), strings.Join(f.Key, ","))
	}
	for i, piece := range pieces {
		piece = strings.ReplaceAll(strings.ReplaceAll(piece, "%2C", ","), "%2c", ",")
		if f.Split(f.Key[i]) {
			piece = strings.ReplaceAll(piece, ";", "^3B")
		}
		pieces[i] = piece
	}
	return pieces, nil
}
