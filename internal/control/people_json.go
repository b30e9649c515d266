package control

import (
	"encoding/json"
	"strings"
)

// readObject yields the members of a JSON object as texts: true is yes, false
// is no and null is the empty text, as Asterisk's tables write them; numbers
// stay as they are written. A member that is an object or a list has a problem
// in place of a text. bad says why the text is no object at all.
//
// encoding/json checks the syntax; its maps are avoided since a load reads a
// million objects, twice.
func readObject(object []byte, yield func(name, value, problem string)) (bad string) {
	if !json.Valid(object) {
		var nothing any
		return "no JSON: " + json.Unmarshal(object, &nothing).Error()
	}
	if object[0] != '{' {
		return "no JSON object"
	}
	rest := skipSpace(string(object[1:])) // one string that all texts are parts of
	for rest[0] != '}' {
		var name, value, problem string
		name, rest = readString(rest)
		rest = skipSpace(rest)[1:] // the colon
		value, problem, rest = readValue(skipSpace(rest))
		yield(name, value, problem)
		if rest = skipSpace(rest); rest[0] == ',' {
			rest = skipSpace(rest[1:])
		}
	}
	return ""
}

func skipSpace(text string) string { return strings.TrimLeft(text, " \t\r\n") }

// readString reads a string of valid JSON, of which the quote is the first byte.
func readString(text string) (value, rest string) {
	escaped := false
	end := 1
	for ; text[end] != '"'; end++ {
		if text[end] == '\\' {
			escaped = true
			end++
		}
	}
	value, rest = text[1:end], text[end+1:]
	if !escaped {
		return value, rest
	}
	if err := json.Unmarshal([]byte(text[:end+1]), &value); err != nil {
		panic(err) // the text was found valid
	}
	return value, rest
}

// readValue reads a value of valid JSON.
func readValue(text string) (value, problem, rest string) {
	switch text[0] {
	case '"':
		value, rest = readString(text)
		return value, "", rest
	case '{', '[':
		return "", "an object or a list where a single value belongs", skipNested(text)
	case 't':
		return "yes", "", text[len("true"):]
	case 'f':
		return "no", "", text[len("false"):]
	case 'n':
		return "", "", text[len("null"):]
	}
	end := strings.IndexAny(text, ",} \t\r\n")
	return text[:end], "", text[end:]
}

// skipNested skips an object or a list of valid JSON.
func skipNested(text string) string {
	depth := 0
	for {
		switch text[0] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			_, text = readString(text)
			continue
		}
		text = text[1:]
		if depth == 0 {
			return text
		}
	}
}
