package directory

// plain holds the bytes that the curl wire leaves as they are (reference §1.2):
// A-Z a-z 0-9 - _ . ! ~ * ' ( )
var plain = func() (table [256]bool) {
	for c := range 256 {
		switch b := byte(c); {
		case b >= 'A' && b <= 'Z', b >= 'a' && b <= 'z', b >= '0' && b <= '9':
			table[c] = true
		case b == '-', b == '_', b == '.', b == '!', b == '~', b == '*', b == '\'', b == '(', b == ')':
			table[c] = true
		}
	}
	return table
}()

// AppendEscaped appends a text percent-encoded as Asterisk does it: upper-case
// hex, a blank as %20, never "+".
func AppendEscaped[T string | []byte](dst []byte, text T) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(text) {
		if c := text[i]; plain[c] {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

func escapedLen(text []byte) int {
	n := len(text)
	for _, c := range text {
		if !plain[c] {
			n += 2
		}
	}
	return n
}
