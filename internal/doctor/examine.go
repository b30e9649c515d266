package doctor

import (
	"cmp"
	"fmt"
	"slices"

	"asterism/internal/asteriskconf"
)

// Finding is one fault. Line 0 means the file as a whole.
type Finding struct {
	Check   string `json:"check"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Problem string `json:"problem"`
	Remedy  string `json:"remedy"`
}

// check looks for one kind of fault.
type check struct {
	name string
	find func(*setup) []Finding
}

// Examine reads the folder of an Asterisk of a release and gives what is wrong with
// it, in order of files and lines. The error is about files that can't be read.
func Examine(folder *asteriskconf.Folder, release Release) ([]Finding, error) {
	s, err := read(folder, release)
	if err != nil {
		return nil, err
	}
	out := []Finding{}
	for _, c := range checks() {
		for _, f := range c.find(s) {
			f.Check = c.name
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out, nil
}

// fault is a finding at a line.
func fault(at asteriskconf.Position, remedy, format string, arguments ...any) Finding {
	return Finding{File: at.File, Line: at.Line, Problem: fmt.Sprintf(format, arguments...), Remedy: remedy}
}
