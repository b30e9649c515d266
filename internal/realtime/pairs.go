package realtime

import (
	"bytes"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// Limits of one request.
const (
	MaxPairs = 512      // names with values; ps_endpoints has 147 columns
	MaxName  = 255      // bytes of a name with its operator, decoded; stock Asterisk sends no longer one
	MaxValue = 64 << 10 // bytes of a value, decoded; stock Asterisk sends at most 255
)

// Reasons for which a form is refused.
const (
	tooManyFields = "too many fields"
	fieldTooLong  = "field too long"

	malformedQuestion = "malformed question"
	malformedWrite    = "malformed write"
)

// pair is one decoded name=value. escaped is the value's length on the wire.
type pair struct {
	name, value []byte
	escaped     int
}

// parse splits a form into pairs, decoding into scratch. Empty pairs (a trailing
// "&") are skipped. "+" is itself: Asterisk never sends it for a blank, and
// dialplan people type it in numbers. reason says why the form is refused, if it is.
func parse(form []byte, pairs []pair, scratch []byte) (_ []pair, _ []byte, reason string) {
	for len(form) > 0 {
		piece := form
		if end := bytes.IndexByte(form, '&'); end >= 0 {
			piece, form = form[:end], form[end+1:]
		} else {
			form = nil
		}
		if len(piece) == 0 {
			continue
		}
		if len(pairs) == MaxPairs {
			return pairs, scratch, tooManyFields
		}
		name, value, _ := bytes.Cut(piece, []byte("="))
		p := pair{escaped: len(value)}
		p.name, scratch = decode(name, scratch)
		p.value, scratch = decode(value, scratch)
		if len(p.name) > MaxName || len(p.value) > MaxValue {
			return pairs, scratch, fieldTooLong
		}
		if len(p.name) > 0 {
			pairs = append(pairs, p)
		}
	}
	return pairs, scratch, ""
}

// decode gives the text behind %XX; a "%" without two hex digits is itself. It
// copies only what has something to decode.
func decode(text, scratch []byte) (decoded, rest []byte) {
	if bytes.IndexByte(text, '%') < 0 {
		return text, scratch
	}
	start := len(scratch)
	scratch = family.AppendUnescaped(scratch, text, '%')
	return scratch[start:len(scratch):len(scratch)], scratch
}

// operator splits a name as Asterisk sends it into column and operator. A word
// operator needs a blank before it. ok is false for an operator that nobody
// knows.
func operator(name []byte) (column []byte, op directory.Op, ok bool) {
	name = bytes.TrimRight(name, " ")
	end := len(name)
	for end > 0 && bytes.IndexByte([]byte("!<>="), name[end-1]) >= 0 {
		end--
	}
	if end < len(name) {
		op, ok = directory.ParseOp(name[end:])
		return bytes.TrimRight(name[:end], " "), op, ok
	}
	blank := bytes.IndexByte(name, ' ')
	if blank < 0 {
		return name, directory.Equal, true
	}
	op, ok = directory.ParseOp(bytes.TrimLeft(name[blank:], " "))
	return name[:blank], op, ok
}
