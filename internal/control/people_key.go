package control

import (
	"hash/maphash"
	"strings"

	"asterism/internal/family"
	"asterism/internal/number"
)

// typedKeyOf gives a row's key as a person would type it.
func typedKeyOf(f *family.Family, r row) string {
	pieces := make([]string, len(f.Key))
	for i, name := range f.Key {
		at, _ := r.columns.Position(name)
		piece := string(r.text(at))
		if f.Split(name) {
			piece = strings.ReplaceAll(piece, "^3B", ";")
		}
		pieces[i] = strings.ReplaceAll(piece, ",", "%2C")
	}
	if f.Name == number.Family && pieces[0] == "" {
		pieces = pieces[1:]
	}
	return strings.Join(pieces, ",")
}

// idSet holds ids by 64 bits of hash, so that a million cost no strings. With a
// million ids, one in 10^13 that is not there passes for one that is.
type idSet struct {
	seed   maphash.Seed
	hashes map[uint64]struct{}
}

func newIDSet() *idSet {
	return &idSet{maphash.MakeSeed(), make(map[uint64]struct{})}
}

func (s *idSet) add(id []byte) { s.hashes[maphash.Bytes(s.seed, id)] = struct{}{} }

func (s *idSet) has(id string) bool {
	_, ok := s.hashes[maphash.String(s.seed, id)]
	return ok
}
