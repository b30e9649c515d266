package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fault is one thing that is wrong with a file.
type Fault struct {
	Line    int    // counted from 1; 0 when it stands nowhere in the file
	Key     string // dotted; empty when the file as a whole cannot be read
	Problem string // what is wrong; never holds a password
	Remedy  string // what to write instead
}

// Faults is the error of a file that cannot be used: all of its faults, by line.
type Faults struct {
	File string
	List []Fault
}

// Error prints one fault per line:
//
//	asterism.toml:12: asterisk.require: "sometimes" is neither lenient nor strict; write lenient or strict
func (f *Faults) Error() string {
	lines := make([]string, len(f.List))
	for i, fault := range f.List {
		lines[i] = f.File + fault.text()
	}
	return strings.Join(lines, "\n")
}

func (f Fault) text() string {
	var text strings.Builder
	if f.Line > 0 {
		fmt.Fprintf(&text, ":%d", f.Line)
	}
	text.WriteString(": ")
	if f.Key != "" {
		text.WriteString(f.Key + ": ")
	}
	text.WriteString(f.Problem + "; " + f.Remedy)
	return text.String()
}

// byLine orders faults as a person meets them in the file; those of defaults,
// which stand nowhere, come last.
func byLine(faults []Fault) []Fault {
	slices.SortStableFunc(faults, func(a, b Fault) int {
		if (a.Line == 0) != (b.Line == 0) {
			return cmp.Compare(b.Line, a.Line)
		}
		return cmp.Compare(a.Line, b.Line)
	})
	return faults
}

// quotedLimit keeps a line of the report readable when a value is not.
const quotedLimit = 80

// quoted prints a value of the file inside a fault: without passwords, without
// control characters, and not longer than a line.
func quoted(value string) string {
	runes := []rune(redact(value))
	if len(runes) > quotedLimit {
		return strconv.Quote(string(runes[:quotedLimit])) + "..."
	}
	return strconv.Quote(string(runes))
}
