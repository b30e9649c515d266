package soap

import (
	"bytes"

	"golang.org/x/text/encoding/charmap"
)

// charset is an encoding of characters.
type charset uint8

const (
	noCharset charset = iota // nobody told
	unknownCharset
	charsetUTF8
	charsetASCII
	charsetUTF16 // either order; the body says which
	charsetUTF16LE
	charsetUTF16BE
	charsetLatin1
	charsetLatin9
	charsetWindows1250
	charsetWindows1251
	charsetWindows1252
	charsetWindows1253
	charsetWindows1254
	charsetWindows1255
	charsetWindows1256
	charsetWindows1257
	charsetWindows1258
	afterLastCharset
)

// understood says to a person what charsetNamed knows.
const understood = "UTF-8, UTF-16, ISO-8859-1, ISO-8859-15, US-ASCII and windows-1250 to windows-1258"

// charsetNamed finds an encoding by the name that IANA registered, or by one that toolkits send as well. Case does not
// matter.
func charsetNamed(name []byte) charset {
	const longest = 16
	if bytes.EqualFold(name, []byte("UTF-8")) { // nearly all
		return charsetUTF8
	}
	if len(name) == 0 || len(name) > longest {
		return unknownCharset
	}
	var lower [longest]byte
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	switch string(lower[:len(name)]) {
	case "utf8":
		return charsetUTF8
	case "us-ascii", "ascii":
		return charsetASCII
	case "utf-16", "utf16":
		return charsetUTF16
	case "utf-16le":
		return charsetUTF16LE
	case "utf-16be":
		return charsetUTF16BE
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1":
		return charsetLatin1
	case "iso-8859-15", "iso8859-15", "iso_8859-15", "latin-9", "latin9":
		return charsetLatin9
	}
	return windowsNamed(lower[:len(name)])
}

// windowsNamed finds windows-1250 to windows-1258, also as cp1250 and so on.
func windowsNamed(lower []byte) charset {
	digits, found := bytes.CutPrefix(lower, []byte("windows-"))
	if !found {
		digits, found = bytes.CutPrefix(lower, []byte("cp"))
	}
	if !found || len(digits) != 4 || string(digits[:3]) != "125" || digits[3] < '0' || digits[3] > '8' {
		return unknownCharset
	}
	return charsetWindows1250 + charset(digits[3]-'0')
}

// String is the name that IANA registered.
func (c charset) String() string {
	switch c {
	case charsetUTF8:
		return "UTF-8"
	case charsetASCII:
		return "US-ASCII"
	case charsetUTF16, charsetUTF16LE, charsetUTF16BE:
		return "UTF-16"
	case charsetLatin1:
		return "ISO-8859-1"
	case charsetLatin9:
		return "ISO-8859-15"
	}
	return "windows-125" + string(rune('0'+c-charsetWindows1250))
}

// table is the table of an encoding with one byte for each character.
func (c charset) table() *charmap.Charmap {
	switch c {
	case charsetLatin1:
		return charmap.ISO8859_1
	case charsetLatin9:
		return charmap.ISO8859_15
	case charsetWindows1250:
		return charmap.Windows1250
	case charsetWindows1251:
		return charmap.Windows1251
	case charsetWindows1252:
		return charmap.Windows1252
	case charsetWindows1253:
		return charmap.Windows1253
	case charsetWindows1254:
		return charmap.Windows1254
	case charsetWindows1255:
		return charmap.Windows1255
	case charsetWindows1256:
		return charmap.Windows1256
	case charsetWindows1257:
		return charmap.Windows1257
	}
	return charmap.Windows1258
}

// charsetOf tells the encoding of a body in the order of RFC 7303, section 3: its byte order mark, the charset of the
// Content-Type, and, for UTF-16 without either, its first character, which is <. With noCharset the XML declaration
// is left to say, and UTF-8 if there is none.
func charsetOf(body, named []byte) charset {
	switch {
	case bytes.HasPrefix(body, []byte("\xFF\xFE\x00\x00")), bytes.HasPrefix(body, []byte("\x00\x00\xFE\xFF")):
		return unknownCharset // UTF-32
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return charsetUTF8
	case bytes.HasPrefix(body, []byte("\xFF\xFE")):
		return charsetUTF16LE
	case bytes.HasPrefix(body, []byte("\xFE\xFF")):
		return charsetUTF16BE
	}
	told := noCharset
	if len(named) > 0 {
		told = charsetNamed(named)
	}
	switch {
	case told != noCharset && told != charsetUTF16:
		return told
	case bytes.HasPrefix(body, []byte("<\x00")):
		return charsetUTF16LE
	case bytes.HasPrefix(body, []byte("\x00<")), told == charsetUTF16: // RFC 2781, 4.3
		return charsetUTF16BE
	}
	return noCharset
}
