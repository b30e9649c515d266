package realtime

import (
	"bytes"

	"asterism/internal/directory"
)

// recoverPairs reads what res_config_curl sends for update2 in all versions: a
// leading "&", then pairs with nothing between them,
//
//	&context=defaultmailbox=1001
//
// Split at "&", then at "=", all raw; in every middle piece the longest suffix
// that is a column of the family is the next name. It is refused, with the reason,
// when a piece ends in no column: then nothing may be changed, least of all with
// fewer conditions.
func recoverPairs(form []byte, columns *directory.Columns, pairs []pair) (_ []pair, reason string) {
	for piece := range bytes.SplitSeq(form, []byte("&")) {
		if len(piece) == 0 {
			continue
		}
		more := bytes.Count(piece, []byte("="))
		switch {
		case more == 0:
			return pairs, malformedWrite
		case len(pairs)+more > MaxPairs:
			return pairs, tooManyFields
		}
		texts := bytes.Split(piece, []byte("="))
		name, _ := decode(texts[0], nil)
		for _, middle := range texts[1 : len(texts)-1] {
			text, _ := decode(middle, nil)
			at := suffix(text, columns)
			if at < 0 {
				return pairs, malformedWrite
			}
			pairs = append(pairs, pair{name: name, value: text[:at], escaped: len(middle) - (len(text) - at)})
			name = text[at:]
		}
		last := texts[len(texts)-1]
		value, _ := decode(last, nil)
		pairs = append(pairs, pair{name: name, value: value, escaped: len(last)})
	}
	if len(pairs) == 0 {
		return pairs, malformedWrite
	}
	return pairs, tooLong(pairs)
}

// tooLong tells whether a name or a value is.
func tooLong(pairs []pair) (reason string) {
	for _, p := range pairs {
		if len(p.name) > MaxName || len(p.value) > MaxValue {
			return fieldTooLong
		}
	}
	return ""
}

// suffix finds where the longest column name (perhaps with an operator) that
// ends the text begins, or -1. Without MaxName a long value would cost its length
// squared.
func suffix(text []byte, columns *directory.Columns) int {
	best := -1
	for at := len(text) - 1; at >= max(0, len(text)-MaxName); at-- {
		column, _, ok := operator(text[at:])
		if !ok || len(column) == 0 {
			continue
		}
		if position, known := columns.Find(column); known && columns.Name(position) == string(column) {
			best = at
		}
	}
	return best
}
