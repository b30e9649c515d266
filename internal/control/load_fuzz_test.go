package control

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"asterism/internal/failure"
	"asterism/internal/family"
)

// readRows checks a source as a load does and reads again what the check found
// good, in the order in which it would be written. An error is one of the whole.
func readRows(t *testing.T, format Format, name, text string) (*load, map[int64][]string, error) {
	t.Helper()
	f, err := family.Standard().Family(name)
	if err != nil {
		t.Fatal(err)
	}
	l := &load{family: f, options: LoadOptions{Format: format}, attempted: "load " + name, seen: newSeenKeys()}
	if l.source, err = openSource(t.Context(), strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if err := l.check(t.Context()); err != nil {
		return l, nil, err
	}
	rows, err := l.good()
	if err != nil {
		t.Fatalf("good at first, then: %v", err)
	}
	good := make(map[int64][]string)
	for {
		next, err := rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || next.bad != "" {
			t.Fatalf("line %d, good at first, then: %s %v", next.number, next.bad, err)
		}
		for i, text := range next.texts {
			good[next.number] = append(good[next.number], next.shape.names[i]+"="+strings.Clone(text))
		}
	}
	if int64(len(good)) != l.rows-l.loaded.Bad {
		t.Fatalf("%d good rows of %d with %d bad ones", len(good), l.rows, l.loaded.Bad)
	}
	checkBadLines(t, l, strings.Count(text, "\n")+strings.Count(text, "\r")+1)
	return l, good, nil
}

// checkBadLines holds that each bad line is one of the source and says why.
func checkBadLines(t *testing.T, l *load, last int) {
	t.Helper()
	if int64(len(l.loaded.Lines)) != min(l.loaded.Bad, maxBadLines) {
		t.Fatalf("%d of %d bad lines are described", len(l.loaded.Lines), l.loaded.Bad)
	}
	before := int64(0)
	for _, bad := range l.loaded.Lines {
		if bad.Number <= before || bad.Number > int64(last) || bad.Reason == "" {
			t.Fatalf("line %d behind %d: %q", bad.Number, before, bad.Reason)
		}
		before = bad.Number
	}
}

// fuzzedFamilies have keys of one column, of several with a default, and numbered ones.
var fuzzedFamilies = []string{"numbers", "ps_aors", "extensions", "queue_members", "voicemail"}

// FuzzCSV holds that no text breaks a load, that its errors name line or column,
// and that a row which is accepted is what encoding/csv reads in that line. The
// corpus is in testdata/fuzz/FuzzCSV.
func FuzzCSV(f *testing.F) {
	f.Add("number,codecs\n4930123456,\"opus,alaw\"\n", uint8(0))
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		l, good, err := readRows(t, CSV, fuzzedFamilies[int(which)%len(fuzzedFamilies)], text)
		if err != nil {
			checkWholeFault(t, err)
			return
		}
		for number, record := range recordsByLine(strings.TrimPrefix(text, "\ufeff")) {
			got, accepted := good[number]
			if !accepted {
				continue
			}
			delete(good, number)
			if len(got) < len(record.values) {
				t.Fatalf("line %d has %d values, %d were read", number, len(record.values), len(got))
			}
			for i, value := range record.values {
				if want := record.header[i] + "=" + value; got[i] != want {
					t.Fatalf("line %d is read as %q, encoding/csv says %q", number, got[i], want)
				}
			}
		}
		if len(good) > 0 {
			t.Fatalf("%d rows that encoding/csv does not read: %v of %d", len(good), good, l.rows)
		}
	})
}

type csvRecord struct{ header, values []string }

// recordsByLine reads CSV by encoding/csv alone.
func recordsByLine(text string) map[int64]csvRecord {
	out := make(map[int64]csvRecord)
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	var header []string
	for {
		values, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			continue // a bad line is a bad line of both
		}
		if header == nil {
			for _, name := range values {
				header = append(header, strings.TrimSpace(name))
			}
			continue
		}
		line, _ := reader.FieldPos(0)
		out[int64(line)] = csvRecord{header, values}
	}
}

// checkWholeFault holds that an error of a whole load tells where to look.
func checkWholeFault(t *testing.T, err error) {
	t.Helper()
	var fault *failure.Error
	var syntax *csv.ParseError
	switch {
	case errors.As(err, &syntax) && syntax.Line > 0:
	case errors.As(err, &fault) && (fault.Field != "" || strings.HasPrefix(fault.Message, "lines ")):
	default:
		t.Fatalf("neither line nor column: %#v", err)
	}
}

// FuzzJSONLines holds the same for JSON lines and encoding/json. The corpus is in
// testdata/fuzz/FuzzJSONLines.
func FuzzJSONLines(f *testing.F) {
	f.Add(`{"number":"1","codecs":"ulaw"}`+"\n", uint8(0))
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		name := fuzzedFamilies[int(which)%len(fuzzedFamilies)]
		_, good, err := readRows(t, JSONLines, name, text)
		if err != nil {
			t.Fatalf("an error of the whole: %v", err)
		}
		for number, got := range good {
			source := strings.TrimPrefix(text, "\ufeff")
			want, err := membersOf(strings.Split(source, "\n")[number-1])
			if err != nil {
				t.Fatalf("line %d is accepted, encoding/json says %v", number, err)
			}
			for _, member := range want {
				if !slices.Contains(got, member) {
					t.Fatalf("line %d is read as %q, encoding/json says %q", number, got, member)
				}
			}
		}
	})
}

// membersOf reads an object by encoding/json alone, as "column=text".
func membersOf(object string) (out []string, err error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(object)))
	decoder.UseNumber()
	var members map[string]any
	if err := decoder.Decode(&members); err != nil {
		return nil, err
	}
	for name, value := range members {
		switch value {
		case nil:
			value = ""
		case true:
			value = "yes"
		case false:
			value = "no"
		}
		out = append(out, fmt.Sprint(name, "=", value))
	}
	return out, nil
}
