package trace

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// AppendJSON appends the line as a JSON object of one line, with its end. It is
// written by hand, since a busy family has thousands a second; the tags of Line
// are for those who read it.
func (l *Line) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if l.Outcome != "" {
		dst = l.appendExchange(dst)
	}
	if l.Dropped > 0 {
		dst = strconv.AppendUint(appendName(dst, "dropped"), l.Dropped, 10)
	}
	return append(dst, '}', '\n')
}

func (l *Line) appendExchange(dst []byte) []byte {
	dst = append(l.Time.AppendFormat(append(appendName(dst, "time"), '"'), time.RFC3339Nano), '"')
	dst = appendText(appendName(dst, "client"), l.Client)
	dst = appendText(appendName(dst, "wire"), l.Wire)
	dst = appendText(appendName(dst, "verb"), l.Verb)
	dst = appendText(appendName(dst, "family"), l.Family)
	if len(l.Conditions) > 0 {
		dst = appendTexts(appendName(dst, "conditions"), l.Conditions)
	}
	if len(l.Fields) > 0 {
		dst = appendTexts(appendName(dst, "fields"), l.Fields)
	}
	dst = appendText(appendName(dst, "outcome"), string(l.Outcome))
	dst = strconv.AppendInt(appendName(dst, "rows"), int64(l.Rows), 10)
	if l.Error != "" {
		dst = appendText(appendName(dst, "error"), l.Error)
	}
	if len(l.Answer) > 0 {
		dst = append(appendName(dst, "answer"), '[')
		for i, row := range l.Answer {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendTexts(dst, row)
		}
		dst = append(dst, ']')
	}
	return strconv.AppendFloat(appendName(dst, "microseconds"), l.Microseconds, 'f', -1, 64)
}

// appendName begins a member of an object.
func appendName(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(dst, '"'), name...), '"', ':')
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, text)
	}
	return append(dst, ']')
}

// appendText quotes a text; bytes that are no UTF-8 become U+FFFD.
func appendText(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20 || r == 0x7F:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
