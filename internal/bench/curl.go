package bench

import "bytes"

// curl asks as res_config_curl does for one row: the verb single with one
// condition, escaped as Asterisk escapes it.
type curl struct{}

func (curl) suffix() string { return "single" }

func (curl) headers() string {
	return "User-Agent: asterisk-libcurl-agent/1.0\r\n" +
		"Accept: */*\r\n" +
		"Content-Type: application/x-www-form-urlencoded\r\n"
}

func (curl) appendBody(body []byte, number string) []byte {
	const hex = "0123456789ABCDEF"
	body = append(body, "number="...)
	for i := range len(number) {
		if c := number[i]; unescaped(c) {
			body = append(body, c)
		} else {
			body = append(body, '%', hex[c>>4], hex[c&15])
		}
	}
	return body
}

// unescaped is the set that Asterisk leaves as it is.
func unescaped(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	switch c {
	case '-', '_', '.', '!', '~', '*', '\'', '(', ')':
		return true
	}
	return false
}

// appendCodecs reads the first line, as Asterisk does. A field that comes
// several times is one column with several values, which SQL and the file of
// numbers write with semicolons.
func (curl) appendCodecs(list, answer []byte) []byte {
	if end := bytes.IndexAny(answer, "\r\n"); end >= 0 {
		answer = answer[:end]
	}
	for first := true; len(answer) > 0; {
		var field []byte
		field, answer, _ = bytes.Cut(answer, []byte{'&'})
		value, found := bytes.CutPrefix(field, []byte("codecs="))
		if !found {
			continue
		}
		if !first {
			list = append(list, ';')
		}
		first = false
		list = appendUnescaped(list, value)
	}
	return list
}

// appendUnescaped decodes as Asterisk does: a plus stays a plus, and a percent
// sign without two hexadecimal digits stays too.
func appendUnescaped(text, escaped []byte) []byte {
	for i := 0; i < len(escaped); i++ {
		if escaped[i] == '%' && i+2 < len(escaped) {
			high, low := hexDigit(escaped[i+1]), hexDigit(escaped[i+2])
			if high >= 0 && low >= 0 {
				text = append(text, byte(high<<4|low))
				i += 2
				continue
			}
		}
		text = append(text, escaped[i])
	}
	return text
}

// hexDigit is -1 for what is none.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
