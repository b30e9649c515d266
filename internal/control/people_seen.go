package control

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// seenKeys is the keys that a load has met, each with its row's place in the
// source: an open addressing table over one text, since a map of a million
// strings takes three times the memory.
type seenKeys struct {
	seed       maphash.Seed
	slots      []uint32 // 1 + number of the entry; 0: free
	entries    []seenKey
	text       []byte // the keys, one behind the other
	descending bool   // some key is smaller than the one before
}

type seenKey struct {
	end uint64 // of the key in text; it begins where the one before ends
	place
}

// place is where a row is in its source.
type place struct {
	start  int64  // in bytes from the beginning
	length uint32 // in bytes
	line   uint32 // from 1
}

func newSeenKeys() *seenKeys {
	return &seenKeys{seed: maphash.MakeSeed(), slots: make([]uint32, 1024)}
}

// add notes a key, unless it was met before: then it gives the place.
func (s *seenKeys) add(key []byte, at place) (first place, again bool) {
	if 2*len(s.entries) >= len(s.slots) {
		s.grow()
	}
	slot := s.slot(key)
	if taken := s.slots[slot]; taken > 0 {
		return s.entries[taken-1].place, true
	}
	if last := len(s.entries) - 1; last >= 0 && bytes.Compare(s.key(uint32(last)), key) > 0 {
		s.descending = true
	}
	s.text = append(s.text, key...)
	s.entries = append(s.entries, seenKey{uint64(len(s.text)), at})
	s.slots[slot] = uint32(len(s.entries))
	return place{}, false
}

// sorted gives the numbers of the entries in the order of their keys. It forgets
// the keys: their memory is wanted for the writing.
func (s *seenKeys) sorted() []uint32 {
	order := make([]uint32, len(s.entries))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return bytes.Compare(s.key(a), s.key(b)) })
	s.slots, s.text = nil, nil
	return order
}

// slot finds where a key is, or where it belongs.
func (s *seenKeys) slot(key []byte) uint64 {
	mask := uint64(len(s.slots) - 1)
	at := maphash.Bytes(s.seed, key) & mask
	for s.slots[at] > 0 && string(s.key(s.slots[at]-1)) != string(key) {
		at = (at + 1) & mask
	}
	return at
}

func (s *seenKeys) key(entry uint32) []byte {
	start := uint64(0)
	if entry > 0 {
		start = s.entries[entry-1].end
	}
	return s.text[start:s.entries[entry].end]
}

// grow doubles the table; at most half of it is ever taken.
func (s *seenKeys) grow() {
	s.slots = make([]uint32, 2*len(s.slots))
	for i := range s.entries {
		s.slots[s.slot(s.key(uint32(i)))] = uint32(i + 1)
	}
}
