package control

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"asterism/internal/family"
	"asterism/internal/store"
)

// Set creates the row of a key or changes all rows of it; an empty text clears
// its column. Everything that is wrong with the texts is reported at once, as
// Faults.
func (p *People) Set(ctx context.Context, name, typedKey string, texts []store.Text) error {
	f, key, err := p.keyed(name, typedKey)
	if err != nil {
		return err
	}
	attempted := "set " + f.Name + " " + typedKey
	if err := checkSet(attempted, f, key, texts); err != nil {
		return err
	}
	return p.Store.Write(ctx, attempted, func(w *store.Writer) error {
		found, err := w.ChangeKey(ctx, f, key, texts)
		if err != nil || found > 0 {
			return err
		}
		_, err = w.Put(ctx, f, withKey(f, key, texts))
		return err
	})
}

func checkSet(attempted string, f *family.Family, key []string, texts []store.Text) error {
	var faults Faults
	for i, name := range f.Key {
		at, _ := f.Position(name)
		if problem := keyProblem(f.Columns[at], key[i]); problem != "" {
			faults.add(attempted, name, problem)
		}
	}
	for i, t := range texts {
		at, known := f.Position(t.Column)
		if !known {
			faults = append(faults, unknownColumn(attempted, f, t.Column))
			continue
		}
		if slices.ContainsFunc(texts[:i], func(other store.Text) bool { return other.Column == t.Column }) {
			faults.add(attempted, t.Column, "given twice")
		}
		if place := slices.Index(f.Key, t.Column); place >= 0 {
			if t.Text != key[place] {
				faults.add(attempted, t.Column, fmt.Sprintf("%q is not what the key says, %q; delete the row and set the new one", t.Text, key[place]))
			}
			continue
		}
		if problem := valueProblem(f.Columns[at], t.Text); problem != "" {
			faults.add(attempted, t.Column, problem)
		}
	}
	return faults.err()
}

// withKey gives the texts of a new row, its key among them.
func withKey(f *family.Family, key []string, texts []store.Text) []store.Text {
	out := make([]store.Text, 0, len(key)+len(texts))
	for i, name := range f.Key {
		out = append(out, store.Text{Column: name, Text: key[i]})
	}
	for _, t := range texts {
		if !isKey(f, t.Column) {
			out = append(out, t)
		}
	}
	return out
}

// valueProblem says what is wrong with a text that a person gave, or nothing.
func valueProblem(c family.Column, text string) string {
	switch {
	case text == "" && c.Required && c.Kind != family.Text && !c.Auto:
		return "empty, but the table requires a value"
	case !utf8.ValidString(text):
		return "not UTF-8"
	case strings.IndexByte(text, 0) >= 0:
		return "holds a NUL byte"
	}
	return c.CheckPerson(text)
}

// keyProblem is valueProblem for a column of the key: only the database's own
// numbers, and what has an empty default (the tenant of numbers), may be empty.
func keyProblem(c family.Column, text string) string {
	if text == "" && !c.Auto && (c.Default == nil || *c.Default != "") {
		return "empty, but it is part of the key"
	}
	return valueProblem(c, text)
}
