package soap

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// utf16Of writes text in UTF-16.
func utf16Of(text string, order binary.AppendByteOrder) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// tableOf writes text in an encoding with a table.
func tableOf(t *testing.T, text string, table *charmap.Charmap) string {
	t.Helper()
	out, err := table.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func lookup(declaration, number string) string {
	return declaration + in12("", `<LookupNumber xmlns="urn:asterism:v1"><number>`+number+`</number></LookupNumber>`)
}

func declare(encoding string) string { return `<?xml version="1.0" encoding="` + encoding + `"?>` }

// TestBodiesInOtherEncodings: what the mark, the Content-Type and the declaration say, in this order.
func TestBodiesInOtherEncodings(t *testing.T) {
	r := new(Request)
	f := func(charset, body, want string) {
		t.Helper()
		err := r.parse([]byte(body), mediaType{charset: []byte(charset)})
		if err != nil || string(r.Number.Value) != want || r.Version != SOAP12 {
			t.Errorf("charset %q, body %.60q: number %q, version %d, error %v; want %q", charset, body, r.Number.Value, r.Version, err, want)
		}
	}
	const text = "Ä€😀ж"
	le := func(text string) string { return utf16Of(text, binary.LittleEndian) }
	be := func(text string) string { return utf16Of(text, binary.BigEndian) }
	for _, charset := range []string{"", "utf-8", "UTF-8", "utf8"} {
		f(charset, lookup("", text), text)
		f(charset, "\uFEFF"+lookup("", text), text)
		f(charset, lookup(declare("utf-8"), text), text)
	}
	// The mark stands above all.
	for _, charset := range []string{"", "utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "koi8-r"} {
		for _, declaration := range []string{"", declare("UTF-16"), declare("UTF-8"), declare("iso-8859-1"), declare("koi8-r")} {
			f(charset, "\uFEFF"+lookup(declaration, text), text)
			f(charset, le("\uFEFF"+lookup(declaration, text)), text)
			f(charset, be("\uFEFF"+lookup(declaration, text)), text)
		}
	}
	// The Content-Type stands above the declaration.
	for _, declaration := range []string{"", declare("UTF-16"), declare("UTF-8"), declare("windows-1251"), declare("koi8-r")} {
		f("UTF-16LE", le(lookup(declaration, text)), text)
		f("utf-16be", be(lookup(declaration, text)), text)
		f("utf-16", be(lookup(declaration, text)), text)
		f("utf-16", le(lookup(declaration, text)), text)
		f("utf-8", lookup(declaration, text), text)
		f("ISO-8859-1", lookup(declaration, "\xe4\xa4\x85"), "ä¤\u0085")
		f("us-ascii", lookup(declaration, "a"), "a")
	}
	// The declaration; UTF-16 shows itself without a mark.
	f("", le(lookup("", text)), text)
	f("", be(lookup(declare("UTF-16"), text)), text)
	f("", lookup(declare("iso-8859-1"), "\xe4\xa4"), "ä¤")
	f("", lookup(declare("ISO-8859-15"), "\xe4\xa4"), "ä€")
	f("", lookup(declare("US-ASCII"), "a"), "a")
	f("", lookup(declare("Windows-1252"), "\xe4\x80"), "ä€")
	f("", lookup(declare("utf8"), text), text)
	for i, sample := range []string{"ČŐ", "Жд", "Ä€", "Ωή", "Ğı", "אב", "قپ", "ŽĖ", "Ơđ"} {
		name := charsetWindows1250 + charset(i)
		body := tableOf(t, sample, name.table())
		f(name.String(), lookup("", body), sample)
		f("cp125"+string(rune('0'+i)), lookup(declare("koi8-r"), body), sample)
		f("", lookup(declare(name.String()), body), sample)
	}
	// In UTF-8 again, with what an earlier request left behind.
	f("", lookup("", text), text)
}

// TestBodiesThatNobodyCanRead: what the encoding does not define is a fault, and never a character in its place.
func TestBodiesThatNobodyCanRead(t *testing.T) {
	f := func(charset, body, want string) {
		t.Helper()
		r := new(Request)
		err := r.parse([]byte(body), mediaType{charset: []byte(charset)})
		if fault, ok := err.(*Fault); !ok || fault.Code != Client || !strings.Contains(fault.Text, want) {
			t.Errorf("charset %q, body %.60q: error %v, want %q", charset, body, err, want)
		}
	}
	le := func(text string) string { return utf16Of(text, binary.LittleEndian) }
	for _, name := range []string{"koi8-r", "UTF-7", "utf-32", "windows-1259", "windows-125", "windows-12500", "cp850", "x", strings.Repeat("x", 300)} {
		f(name, lookup("", "1"), `"`+name[:min(len(name), 200)])
		f(name, lookup("", "1"), "send "+understood)
		f("", lookup(declare(name), "1"), "send "+understood)
	}
	f("", "\xff\xfe\x00\x00<\x00\x00\x00", `"UTF-32" is not understood`)
	f("utf-8", "\x00\x00\xfe\xff\x00\x00\x00<", `is not understood`)
	f("", lookup("", "\xe4"), "not UTF-8")
	f("utf-8", lookup(declare("iso-8859-1"), "\xe4"), "not UTF-8")
	f("utf-8", le(lookup("", "1")), "does not allow")
	f("us-ascii", lookup("", "ä"), "mean nothing in US-ASCII")
	f("", lookup(declare("us-ascii"), "ä"), "mean nothing in US-ASCII")
	f("", lookup(declare("UTF-16"), "1"), "the body is not in UTF-16")
	f("", lookup(declare("utf-16le"), "1"), "the body is not in UTF-16")
	f("utf-16", lookup("", "1"), "cannot be read as XML in UTF-16")
	f("", le("\uFEFF"+lookup("", "1"))+"\x00", "mean nothing in UTF-16")                             // half a character
	f("", le("\uFEFF"+lookup("", "1"))+"\x00\xd8", "mean nothing in UTF-16")                         // half a pair
	f("", le("\uFEFF"+lookup("", "1"))+"\x00\xd8\x41\x00", "mean nothing in UTF-16")                 // the same
	f("", le("\uFEFF"+lookup("", "1"))+"\x00\xdc\x00\xd8", "mean nothing in UTF-16")                 // the wrong way round
	f("", strings.Replace(le("\uFEFF"+lookup("", "?")), "?\x00", "\xff\xff", 1), "XML 1.0 does not") // a noncharacter
	f("iso-8859-1", lookup("", "\x01"), "XML 1.0 does not")
	for name, undefined := range map[string]string{
		"windows-1250": "\x81\x83\x88\x90\x98", "windows-1251": "\x98", "windows-1252": "\x81\x8d\x8f\x90\x9d", "windows-1253": "\x81\xaa\xd2\xff",
		"windows-1254": "\x81\x8d\x9e", "windows-1255": "\x81\xd9\xdf\xff", "windows-1257": "\x81\xa1\xa5", "windows-1258": "\x81\x8a\x9a",
	} {
		for i := range len(undefined) {
			f(name, lookup("", undefined[i:i+1]), "mean nothing in "+name)
		}
	}
	f("iso-8859-1", strings.Repeat(" ", MaxForeign+1), "may have 1048576 bytes; send a longer one in UTF-8")
}

// TestADecodedBodyIsBounded holds the factor that limits.go promises, and that a large one is not kept.
func TestADecodedBodyIsBounded(t *testing.T) {
	r := new(Request)
	for name, filler := range map[string]string{"windows-1252": "\x80", "utf-16le": "\xac\x20", "us-ascii": "x"} {
		body := bytes.Repeat([]byte(filler), MaxForeign/len(filler))
		if r.parse(body, mediaType{charset: []byte(name)}) == nil || len(r.decoded) > 3*MaxForeign || len(r.decoded) < MaxForeign {
			t.Errorf("%s takes %d bytes", name, len(r.decoded))
		}
		if r.Reset(); cap(r.decoded) > keepArena {
			t.Errorf("%s: %d bytes are kept", name, cap(r.decoded))
		}
	}
}
