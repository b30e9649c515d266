package soap

import "unicode/utf8"

// Bytes is text in either form, so that answers take the directory's values as they are.
type Bytes interface{ ~string | ~[]byte }

// replacement stands for what XML 1.0 cannot hold.
const replacement = "\uFFFD"

// appendText appends text so that a reader gets it back unchanged, inside an element as well as inside an attribute
// in double quotes. Characters that XML 1.0 has no way to write, and bytes that are not UTF-8, become U+FFFD.
func appendText[T Bytes](dst []byte, text T) []byte {
	copied := 0
	for at := 0; at < len(text); {
		escaped, size := escape(text, at)
		if escaped != "" {
			dst = append(dst, text[copied:at]...)
			dst = append(dst, escaped...)
			copied = at + size
		}
		at += size
	}
	return append(dst, text[copied:]...)
}

// escape answers how the character at that place is written, "" when it stands for itself, and its length.
func escape[T Bytes](text T, at int) (string, int) {
	switch c := text[at]; {
	case c >= utf8.RuneSelf:
		return escapeRune(text, at)
	case c == '&':
		return "&amp;", 1
	case c == '<':
		return "&lt;", 1
	case c == '>': // must not stand behind ]]
		return "&gt;", 1
	case c == '"':
		return "&quot;", 1
	case c == '\r': // a reader would take it for a line end
		return "&#13;", 1
	case c < ' ' && c != '\n' && c != '\t':
		return replacement, 1
	}
	return "", 1
}

func escapeRune[T Bytes](text T, at int) (string, int) {
	r, size := utf8.DecodeRuneInString(string(text[at:min(at+utf8.UTFMax, len(text))]))
	if r == utf8.RuneError && size == 1 || !isCharacter(r) {
		return replacement, size
	}
	return "", size
}
