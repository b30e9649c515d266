package control

import (
	"fmt"
	"strings"

	"asterism/internal/failure"
	"asterism/internal/family"
)

// Faults is everything that is wrong with what a person gave, each with its field.
type Faults []*failure.Error

// Error gives one fault per line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives each fault.
func (f Faults) Unwrap() []error {
	out := make([]error, len(f))
	for i, fault := range f {
		out[i] = fault
	}
	return out
}

// add notes what is wrong with a field.
func (f *Faults) add(attempted, field, problem string) {
	*f = append(*f, &failure.Error{Kind: failure.Invalid, Field: field, Message: attempted + ": " + field + ": " + problem})
}

// err gives the faults as an error, nil when there are none.
func (f Faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// FindFamily finds a family by its name or alias; the error names the family
// that was probably meant.
func FindFamily(families []*family.Family, name string) (*family.Family, error) {
	names := make([]string, 0, len(families))
	for _, f := range families {
		if f.Name == family.Resolve(name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	for alias := range family.Aliases() {
		names = append(names, alias)
	}
	hint := "families are " + strings.Join(names[:len(families)], ", ")
	if meant := nearest(name, names); meant != "" {
		hint = "did you mean " + meant + "?"
	}
	return nil, &failure.Error{Kind: failure.Unknown, Field: "family", Message: fmt.Sprintf("no family %q", name), Hint: hint}
}

// listedColumns is up to how many columns a hint names.
const listedColumns = 16

// unknownColumn says that a table lacks a column, and which was probably meant.
func unknownColumn(attempted string, f *family.Family, column string) *failure.Error {
	return &failure.Error{Kind: failure.Unknown, Field: column, Message: attempted + ": " + noColumn(f, column), Hint: columnHint(f, column)}
}

func noColumn(f *family.Family, column string) string {
	return fmt.Sprintf("%s has no column %q", f.Name, column)
}

// columnHint names the column that was probably meant, else all when they are few.
func columnHint(f *family.Family, column string) string {
	names := make([]string, len(f.Columns))
	for i, c := range f.Columns {
		names[i] = c.Name
	}
	if meant := nearest(column, names); meant != "" {
		return "did you mean " + meant + "?"
	}
	if len(names) <= listedColumns {
		return "its columns are " + strings.Join(names, ", ")
	}
	return ""
}
