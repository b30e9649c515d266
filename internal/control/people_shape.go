package control

import (
	"slices"
	"strconv"

	"asterism/internal/family"
)

// shape is which columns rows of a load have. Key columns that a source leaves
// out and that have a default (the tenant of numbers) stand behind those that it
// gives, with the default as their text in every row.
type shape struct {
	names    []string
	columns  []family.Column
	defaults []string
	key      []int // places of the key's columns; nil when the database numbers the rows
}

// newShape makes the shape of rows that have the given columns of a family;
// missing are columns of the key that a source must give.
func newShape(f *family.Family, given []string) (s *shape, missing []string) {
	s = &shape{names: slices.Clone(given)}
	numbered := false
	for _, name := range f.Key {
		if slices.Contains(given, name) {
			continue
		}
		at, _ := f.Position(name)
		switch c := f.Columns[at]; {
		case c.Default != nil:
			s.names = append(s.names, name)
			s.defaults = append(s.defaults, *c.Default)
		case c.Auto:
			numbered = true
		default:
			missing = append(missing, name)
		}
	}
	for _, name := range s.names {
		at, _ := f.Position(name)
		s.columns = append(s.columns, f.Columns[at])
	}
	if !numbered && len(f.Key) > 0 {
		s.key = make([]int, len(f.Key))
		for i, name := range f.Key {
			s.key[i] = slices.Index(s.names, name)
		}
	}
	return s, missing
}

// given is how many columns the source gives.
func (s *shape) given() int { return len(s.names) - len(s.defaults) }

// problem says what is wrong with a row's texts, all at once, or nothing.
func (s *shape) problem(texts []string) string {
	all := ""
	for i, c := range s.columns {
		check := valueProblem
		if slices.Contains(s.key, i) {
			check = keyProblem
		}
		if problem := check(c, texts[i]); problem != "" {
			if all != "" {
				all += "; "
			}
			all += c.Name + ": " + problem
		}
	}
	return all
}

// appendKey appends a row's key, its columns divided by NUL, which no text
// holds, whole numbers as SQL spells them.
func (s *shape) appendKey(dst []byte, texts []string) []byte {
	for i, place := range s.key {
		if i > 0 {
			dst = append(dst, 0)
		}
		text := texts[place]
		if s.columns[place].Kind == family.Integer {
			if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				dst = strconv.AppendInt(dst, n, 10)
				continue
			}
		}
		dst = append(dst, text...)
	}
	return dst
}
