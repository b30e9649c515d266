package directory

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// pattern is a compiled LIKE pattern (reference §5.9).
type pattern struct {
	shape  shape
	prefix []byte // the literal text before the first wildcard
	rest   []byte // the pattern from the first wildcard on
}

type shape uint8

const (
	everything shape = iota // "%"
	exact                   // no wildcard
	starts                  // "literal%"
	general
)

// compile reads a pattern. literal is for contacts: in "aor;@%" all before the
// final "%" is meant as it stands, since sorcery escapes nothing and an AOR
// named a_b would otherwise match the contacts of aXb.
func compile(text []byte, literal bool) pattern {
	if literal && bytes.HasSuffix(text, []byte(";@%")) {
		return pattern{shape: starts, prefix: text[:len(text)-1], rest: text[len(text)-1:]}
	}
	at := bytes.IndexAny(text, `%_\`)
	if at < 0 {
		return pattern{shape: exact, prefix: text}
	}
	prefix := text[:at:at]
	for at < len(text) && text[at] != '%' && text[at] != '_' {
		if text[at] == '\\' && at+1 < len(text) {
			at++
		}
		prefix = append(prefix, text[at])
		at++
	}
	p := pattern{prefix: prefix, rest: text[at:]}
	switch {
	case len(p.rest) == 0:
		p.shape = exact
	case len(bytes.Trim(p.rest, "%")) > 0:
		p.shape = general
	case len(prefix) > 0:
		p.shape = starts
	}
	return p
}

func (p *pattern) match(text string) bool {
	switch p.shape {
	case everything:
		return true
	case exact:
		return text == string(p.prefix)
	}
	if len(text) < len(p.prefix) || text[:len(p.prefix)] != string(p.prefix) {
		return false
	}
	return p.shape == starts || wild(text[len(p.prefix):], p.rest)
}

// wild matches with wildcards: on a mismatch it goes back to the last "%" and
// lets it take one more character. Bounded by len(text)*len(pattern).
func wild(text string, pattern []byte) bool {
	t, p := 0, 0
	star, mark := -1, 0
	for t < len(text) {
		if p < len(pattern) {
			switch c := pattern[p]; {
			case c == '%':
				star, mark = p, t
				p++
				continue
			case c == '_':
				_, size := utf8.DecodeRuneInString(text[t:])
				t, p = t+size, p+1
				continue
			case c == '\\' && p+1 < len(pattern) && pattern[p+1] == text[t]:
				t, p = t+1, p+2
				continue
			case c == text[t] && (c != '\\' || p+1 == len(pattern)):
				t, p = t+1, p+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		t, p = mark, star+1
	}
	return strings.Trim(string(pattern[p:]), "%") == ""
}
