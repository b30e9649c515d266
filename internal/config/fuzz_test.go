package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// FuzzParse holds that no text makes Parse panic, that a report has one line
// per fault and tells where and what to do, and that a Config which is written
// down and read again is the same.
func FuzzParse(f *testing.F) {
	f.Add(string(Sample()))
	f.Fuzz(func(t *testing.T, text string) {
		config, err := Parse("f", []byte(text))
		if err != nil {
			checkReport(t, err)
			return
		}
		for _, key := range config.Keys() {
			config.Origin(key)
		}
		again, err := Parse("f", []byte(render(config)))
		if err != nil {
			t.Fatalf("%s\n%v", render(config), err)
		}
		if diff := cmp.Diff(config, again, sameValues(), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func checkReport(t *testing.T, err error) {
	faults := new(Faults)
	if !errors.As(err, &faults) || len(faults.List) == 0 {
		t.Fatalf("not a report: %v", err)
	}
	if lines := strings.Count(err.Error(), "\n") + 1; lines != len(faults.List) {
		t.Fatalf("%d lines for %d faults:\n%v", lines, len(faults.List), err)
	}
	for _, fault := range faults.List {
		if fault.Line == 0 || fault.Problem == "" || fault.Remedy == "" {
			t.Fatalf("incomplete: %+v", fault)
		}
	}
}
