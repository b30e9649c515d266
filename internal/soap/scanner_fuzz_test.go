package soap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// FuzzScanner holds the promise of this package's scanner: what it accepts, encoding/xml accepts, and both say the
// same about it. The corpus is in testdata/fuzz/FuzzScanner.
func FuzzScanner(f *testing.F) {
	s := new(scanner)
	f.Fuzz(func(t *testing.T, input []byte) {
		before := bytes.Clone(input)
		got, err := walked(s, input)
		if !bytes.Equal(input, before) {
			t.Fatal("the scanner changed its input")
		}
		if err != nil {
			return
		}
		want, err := oracleTrace(input)
		if err != nil {
			t.Fatalf("accepted, but encoding/xml says %v", err)
		}
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// oracleTrace is trace by encoding/xml: without comments and instructions, neighbouring texts joined.
func oracleTrace(input []byte) (string, error) {
	var b strings.Builder
	var text []byte
	depth := 0
	flush := func() {
		if depth > 0 && len(text) > 0 {
			fmt.Fprintf(&b, "text %q\n", text)
		}
		text = text[:0]
	}
	decoder := xml.NewDecoder(bytes.NewReader(input))
	for {
		found, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch found := found.(type) {
		case xml.StartElement:
			flush()
			depth++
			fmt.Fprintf(&b, "start {%s}%s", found.Name.Space, found.Name.Local)
			for _, a := range found.Attr {
				if !isDeclaration(a.Name) {
					fmt.Fprintf(&b, " {%s}%s=%q", a.Name.Space, a.Name.Local, a.Value)
				}
			}
			b.WriteByte('\n')
		case xml.EndElement:
			flush()
			depth--
			fmt.Fprintf(&b, "end {%s}%s\n", found.Name.Space, found.Name.Local)
		case xml.CharData:
			text = append(text, found...)
		case xml.Directive:
			return "", errors.New("a directive, which the scanner must refuse")
		}
	}
}

func isDeclaration(name xml.Name) bool {
	return name.Space == "xmlns" || name.Space == "" && name.Local == "xmlns"
}

// FuzzParse holds that no body breaks the parser: its error is a Fault, and the answer to it is well-formed.
func FuzzParse(f *testing.F) {
	for _, example := range everyOperation() {
		f.Add([]byte(example))
	}
	r := new(Request)
	f.Fuzz(func(t *testing.T, body []byte) {
		err := r.Parse(body)
		if err == nil {
			if r.Op == NoOperation {
				t.Error("accepted without an operation")
			}
			return
		}
		var fault *Fault
		if !errors.As(err, &fault) {
			t.Fatalf("the error is no Fault but %T", err)
		}
		answer := AppendFault(nil, r.Version, fault)
		if _, err := oracleTrace(answer); err != nil {
			t.Errorf("the answer is malformed: %v\n%s", err, answer)
		}
	})
}
