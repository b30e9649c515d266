package family

import (
	"strconv"
	"strings"
)

// AppendDecoded appends the value that a text of SQL stands for: Asterisk's SQL
// drivers write "^3B" for ";" and "^5E" for "^" (main/config.c).
func AppendDecoded[T string | []byte](dst []byte, text T) []byte {
	return AppendUnescaped(dst, text, '^')
}

// AppendUnescaped appends a text with each mark and its two hex digits turned into
// the byte that they stand for; a mark without two hex digits stays.
func AppendUnescaped[T string | []byte](dst []byte, text T, mark byte) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] == mark && i+2 < len(text) {
			high, low := hexDigit(text[i+1]), hexDigit(text[i+2])
			if high >= 0 && low >= 0 {
				dst = append(dst, byte(high<<4|low))
				i += 2
				continue
			}
		}
		dst = append(dst, text[i])
	}
	return dst
}

// Encode gives the text that SQL holds for one value.
func Encode(value string) string {
	if !strings.ContainsAny(value, ";^") {
		return value
	}
	return strings.NewReplacer("^", "^5E", ";", "^3B").Replace(value)
}

// ToSQL gives the text that SQL holds for the values of a column.
func (f *Family) ToSQL(column string, values []string) string {
	if !f.Split(column) {
		return strings.Join(values, ";")
	}
	encoded := make([]string, len(values))
	for i, v := range values {
		encoded[i] = Encode(v)
	}
	return strings.Join(encoded, ";")
}

// FromSQL gives the values that a column's text stands for; none for "".
func (f *Family) FromSQL(column, text string) []string {
	if text == "" {
		return nil
	}
	if !f.Split(column) {
		return []string{text}
	}
	var out []string
	for piece := range strings.SplitSeq(text, ";") {
		if piece != "" {
			out = append(out, string(AppendDecoded(nil, piece)))
		}
	}
	return out
}

// CheckPerson says what is wrong with a value that a person wrote, or nothing.
// Values that Asterisk writes are kept as they come.
func (c Column) CheckPerson(value string) string {
	if value == "" {
		return ""
	}
	switch c.Kind {
	case YesNo:
		switch strings.ToLower(value) {
		case "yes", "no", "true", "false", "on", "off", "1", "0", "y", "n", "t", "f":
			return ""
		}
		return strconv.Quote(value) + " is neither yes nor no"
	case Integer:
		if _, err := strconv.ParseInt(value, 10, 64); err != nil {
			return strconv.Quote(value) + " is not a whole number"
		}
	case Float:
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			return strconv.Quote(value) + " is not a number"
		}
	}
	if c.Length > 0 && len([]rune(value)) > c.Length {
		return "longer than " + strconv.Itoa(c.Length) + " characters"
	}
	return ""
}

func hexDigit(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b >= 'A' && b <= 'F':
		return int(b-'A') + 10
	case b >= 'a' && b <= 'f':
		return int(b-'a') + 10
	}
	return -1
}
