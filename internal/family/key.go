package family

import (
	"encoding/json"
	"fmt"
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

// SplitKey gives the texts that a row key holds.
func SplitKey(key string) ([]string, error) {
	var out []string
	if err := json.Unmarshal([]byte(key), &out); err != nil {
		return nil, fmt.Errorf("row key %q: %w", key, err)
	}
	return out, nil
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
