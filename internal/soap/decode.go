package soap

import (
	"encoding/binary"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// open tells the encoding of the body and gives it to the scanner in UTF-8; a body in UTF-8 is not copied. named is
// the charset of the Content-Type.
func (r *Request) open(body, named []byte) *Fault {
	told := charsetOf(body, named)
	switch told {
	case unknownCharset:
		return unknownCharsetFault(named)
	case noCharset, charsetUTF8:
		r.scanner.open(body)
	default:
		if fault := r.decode(body, told); fault != nil {
			return fault
		}
	}
	if err := r.scanner.declaration(); err != nil {
		return r.malformed(err)
	}
	if told == noCharset && len(r.scanner.encoding) > 0 {
		return r.declared(body, r.scanner.encoding)
	}
	return nil // what told before the declaration stands above it
}

// declared follows an XML declaration that names the encoding. The bytes up to there could be read as ASCII, so the
// body is not in UTF-16.
func (r *Request) declared(body, named []byte) *Fault {
	declared := charsetNamed(named)
	switch declared {
	case charsetUTF8:
		return nil
	case unknownCharset:
		return unknownCharsetFault(named)
	case charsetUTF16, charsetUTF16LE, charsetUTF16BE:
		return clientFault("the XML declaration says " + quoted(named) +
			", but the body is not in UTF-16; name its encoding in the charset of the Content-Type or mend the declaration")
	}
	if fault := r.decode(body, declared); fault != nil {
		return fault
	}
	if err := r.scanner.declaration(); err != nil {
		return r.malformed(err)
	}
	return nil
}

func unknownCharsetFault(named []byte) *Fault {
	if len(named) == 0 {
		named = []byte("UTF-32")
	}
	return clientFault("the charset " + quoted(named) + " is not understood; send " + understood)
}

// decode opens the scanner with the body in UTF-8. What stands before bytes that mean nothing is read all the same,
// so that the fault has the version of the envelope.
func (r *Request) decode(body []byte, from charset) *Fault {
	if len(body) > MaxForeign {
		return clientFault("a body in " + from.String() + " may have " + strconv.Itoa(MaxForeign) + " bytes; send a longer one in UTF-8")
	}
	var out []byte
	var read int
	switch from {
	case charsetASCII:
		out, read = decodeASCII(r.decoded[:0], body)
	case charsetUTF16LE:
		out, read = decodeUTF16(r.decoded[:0], body, binary.LittleEndian)
	case charsetUTF16BE:
		out, read = decodeUTF16(r.decoded[:0], body, binary.BigEndian)
	default:
		out, read = decodeTable(r.decoded[:0], body, from)
	}
	r.decoded, r.from = out, from
	r.scanner.open(out)
	if read < len(body) && r.scanner.bad == nil {
		r.scanner.bad = &syntaxError{offset: read, text: "bytes that mean nothing in " + from.String()}
	}
	return nil
}

// The functions below append a text in UTF-8 and answer how many bytes they could read.

func decodeASCII(dst, text []byte) ([]byte, int) {
	for at, c := range text {
		if c >= utf8.RuneSelf {
			return append(dst, text[:at]...), at
		}
	}
	return append(dst, text...), len(text)
}

func decodeUTF16(dst, text []byte, order binary.ByteOrder) ([]byte, int) {
	for at := 0; at < len(text); {
		if len(text)-at < 2 {
			return dst, at
		}
		r, size := rune(order.Uint16(text[at:])), 2
		if utf16.IsSurrogate(r) {
			if len(text)-at < 4 {
				return dst, at
			}
			if r, size = utf16.DecodeRune(r, rune(order.Uint16(text[at+2:]))), 4; r == utf8.RuneError {
				return dst, at
			}
		}
		dst = utf8.AppendRune(dst, r)
		at += size
	}
	return dst, len(text)
}

// decodeTable reads encodings with a byte for each character. The tables for Windows give bytes without a character
// to the control characters of the same number; nobody means those.
func decodeTable(dst, text []byte, from charset) ([]byte, int) {
	table := from.table()
	for at, c := range text {
		if c < utf8.RuneSelf {
			dst = append(dst, c)
			continue
		}
		r := table.DecodeByte(c)
		if r == utf8.RuneError || from >= charsetWindows1250 && r < 0xA0 {
			return dst, at
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, len(text)
}
