package absent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// sketch keeps the most asked keys of one client in one minute. Counts and hashes
// lie apart from the texts, since every miss looks through them.
type sketch struct {
	hashes [KeysPerClient]uint64
	counts [KeysPerClient]uint32
	errors [KeysPerClient]uint32 // of the counts, at most
	texts  [KeysPerClient]text
	used   int
	hand   int    // goes round in search of the least asked
	least  uint32 // no count is below it once all places are taken
}

// text is a key as it is shown: no memory but its own.
type text struct {
	family string // of the directory, which outlives us
	length uint8
	bytes  [MaxText]byte
}

// add counts a key by its hash and tells where it is, and whether it is new there.
func (s *sketch) add(hash uint64) (at int, fresh bool) {
	for i, known := range s.hashes[:s.used] {
		if known == hash {
			s.counts[i]++
			return i, false
		}
	}
	if s.used < KeysPerClient {
		at = s.used
		s.used++
		s.hashes[at], s.counts[at], s.errors[at] = hash, 1, 0
		return at, true
	}
	for s.counts[s.hand] != s.least {
		if s.hand++; s.hand == KeysPerClient {
			s.hand, s.least = 0, slices.Min(s.counts[:])
		}
	}
	at = s.hand
	s.hashes[at], s.counts[at], s.errors[at] = hash, s.least+1, s.least
	return at, true
}

// clear makes it empty.
func (s *sketch) clear() { s.used, s.hand, s.least = 0, 0, 0 }

// certain is how often a key was asked at least.
func (s *sketch) certain(at int) int { return int(s.counts[at] - s.errors[at]) }

// set writes a question down, cut to length: column=value, joined by ", ".
func (t *text) set(name string, conditions []directory.Condition) {
	t.family = name
	dst := t.bytes[:0]
	for i := range conditions {
		c := &conditions[i]
		if i > 0 {
			dst = appendCut(dst, ", ")
		}
		dst = appendCut(dst, c.Column)
		dst = appendCut(dst, c.Op.String())
		if family.Secret(string(c.Column)) {
			dst = appendCut(dst, family.Hidden)
		} else {
			dst = appendCut(dst, c.Value)
		}
	}
	t.length = uint8(len(dst))
}

// appendCut appends as far as there is room.
func appendCut[T string | []byte](dst []byte, piece T) []byte {
	return append(dst, piece[:min(len(piece), cap(dst)-len(dst))]...)
}

// key gives the question as it is shown. It comes from strangers, so all that a
// terminal might obey is replaced; a character cut in two at the end is left out.
func (t *text) key(client string) Key {
	b := t.bytes[:t.length]
	for i := 1; t.length == MaxText && i < utf8.UTFMax; i++ {
		if last := b[len(b)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				b = b[:len(b)-i]
			}
			break
		}
	}
	shown := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, string(b)) // also makes it UTF-8
	return Key{Client: client, Family: t.family, Key: shown}
}
