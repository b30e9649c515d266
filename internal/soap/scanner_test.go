package soap

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// walked writes down all that the scanner finds, one token a line, and its error.
func walked(s *scanner, input []byte) (string, error) {
	var b strings.Builder
	s.open(input)
	if err := s.declaration(); err != nil {
		return "", err
	}
	if s.encoding != nil && !bytes.EqualFold(s.encoding, []byte("UTF-8")) {
		return "", s.refuse("the encoding is another one") // Request reads it; encoding/xml does not
	}
	for {
		found, err := s.next()
		if err != nil {
			return b.String(), err
		}
		switch found {
		case endOfDocument:
			return b.String(), nil
		case startElement:
			fmt.Fprintf(&b, "start {%s}%s", s.space, s.local)
			for _, a := range s.attributes {
				if string(a.space) == "xmlns" {
					continue // encoding/xml cannot tell it from a declaration
				}
				fmt.Fprintf(&b, " {%s}%s=%q", a.space, a.local, a.value)
			}
			b.WriteByte('\n')
		case endElement:
			fmt.Fprintf(&b, "end {%s}%s\n", s.space, s.local)
		case characters:
			fmt.Fprintf(&b, "text %q\n", s.text)
		}
	}
}

func TestScannerReads(t *testing.T) {
	f := func(input string, want ...string) {
		t.Helper()
		got, err := walked(new(scanner), []byte(input))
		if err != nil {
			t.Errorf("%s: %v", input, err)
		}
		if all := strings.Join(want, "\n") + "\n"; got != all {
			t.Errorf("%s\ngot\n%swant\n%s", input, got, all)
		}
	}
	f(`<a/>`, "start {}a", "end {}a")
	f("\uFEFF<?xml version='1.0' encoding=\"utf-8\" standalone='yes' ?>\n<!-- x --><a ></a >\n<?p i?>", "start {}a", "end {}a")
	f(`<?xml-stylesheet?><a/>`, "start {}a", "end {}a")

	// Text: references, CDATA, line ends; comments and instructions do not part it.
	f(`<a>x &lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</a>`, "start {}a", `text "x <>&\"'A😀"`, "end {}a")
	f(`<a>x<!-- - -->y<?p ?>z<![CDATA[<&]]]]><![CDATA[>]]></a>`, "start {}a", `text "xyz<&]]>"`, "end {}a")
	f("<a>1\r2\r\n3\n4\r<![CDATA[\r\n5\r]]>&#13;\n</a>", "start {}a", `text "1\n2\n3\n4\n\n5\n\r\n"`, "end {}a")
	f(`<a><![CDATA[]]><!----></a>`, "start {}a", "end {}a")
	f(`<a>]] ></a>`, "start {}a", `text "]] >"`, "end {}a")
	f(`<a>é&#xe9;</a>`, "start {}a", `text "éé"`, "end {}a")

	// Namespaces: scope, default, undeclared default, the prefix xml; attributes have no default.
	f(`<p:a xmlns:p="u"><p:b/></p:a>`, "start {u}a", "start {u}b", "end {u}b", "end {u}a")
	f(`<a xmlns="u"><b xmlns="" c="1"/><d xmlns='v'/><e/></a>`,
		"start {u}a", `start {}b {}c="1"`, "end {}b", "start {v}d", "end {v}d", "start {u}e", "end {u}e", "end {u}a")
	f(`<a p:x="1" xmlns:p="u" x="2" xml:lang='de'/>`,
		`start {}a {u}x="1" {}x="2" {http://www.w3.org/XML/1998/namespace}lang="de"`, "end {}a")
	f(`<p:a xmlns:p="u"><p:b xmlns:p="v"/><p:c/></p:a>`,
		"start {u}a", "start {v}b", "end {v}b", "start {u}c", "end {u}c", "end {u}a")
	f(`<a x="&#10;&lt;>]]>'" y='"' z=""/>`, `start {}a {}x="\n<>]]>'" {}y="\"" {}z=""`, "end {}a")
}

func TestScannerRefuses(t *testing.T) {
	f := func(input, want string) {
		t.Helper()
		got, err := walked(new(scanner), []byte(input))
		var syntax *syntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q after\n%s", input, err, want, got)
		}
	}
	f(``, "at byte 0: the document has no element")
	f(` <!---->`, "no element")
	f(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`, "at byte 0: a DOCTYPE is not accepted")
	f(`<a><!DOCTYPE a></a>`, "DOCTYPE")
	f(`<!doctype a><a/>`, "declaration")
	f(`<a><!ENTITY b "c"></a>`, "declaration")
	f(`<a>&b;</a>`, "at byte 3: an entity that is not defined")
	f(`<a>&amp</a>`, "ends with ;")
	f(`<a>& </a>`, "ends with ;")
	f(`<a>&#;</a>`, "without digits")
	f(`<a>&#x;</a>`, "without digits")
	f(`<a>&#xg;</a>`, "without digits")
	f(`<a>&#X41;</a>`, "without digits")
	f(`<a>&#1a;</a>`, "end with ;")
	f(`<a>&#0;</a>`, "does not allow")
	f(`<a>&#xD800;</a>`, "does not allow")
	f(`<a>&#xFFFF;</a>`, "does not allow")
	f(`<a>&#1114112;</a>`, "does not exist")
	f(`<a>&#99999999999999999999999;</a>`, "does not exist")
	f("<a>\x01</a>", "at byte 3: a character that XML 1.0 does not allow")
	f("<a>\x00</a>", "does not allow")
	f("<a>\xff</a>", "not UTF-8")
	f("<a>\xed\xa0\x80</a>", "not UTF-8")
	f("<a>\uFFFE</a>", "does not allow")
	f("<!-- \x02 --><a/>", "does not allow")
	f("\xff\xfe<\x00a\x00/\x00>\x00", "not UTF-8")
	f(`<?xml version="1.1"?><a/>`, `version="1.0"`)
	f(`<?xml?><a/>`, `version="1.0"`)
	f(`<?xml encoding="UTF-8"?><a/>`, `version="1.0"`)
	f(`<?xml version="1.0" encoding=""?><a/>`, "encoding")
	f(`<?xml version="1.0" standalone="maybe"?><a/>`, "standalone")
	f(`<?xml version="1.0" x="y"?><a/>`, "malformed")
	f(`<?xml version="1.0"encoding="UTF-8"?><a/>`, "malformed")
	f(` <?xml version="1.0"?><a/>`, "very beginning")
	f(`<a><?xml version="1.0"?></a>`, "very beginning")
	f(`<?XML version="1.0"?><a/>`, "very beginning")
	f(`<?p`, "blank or ?>")
	f(`<?p x`, "not closed")
	f(`<?p?x?><a/>`, "blank or ?>")
	f(`<? p?><a/>`, "name")
	f(`<!-- <a/>`, "comment is not closed")
	f(`<!-- --`, "comment is not closed")
	f(`<!-- -- --><a/>`, "inside a comment")
	f(`<!--->`, "comment is not closed")
	f(`<a><![CDATA[x</a>`, "CDATA section is not closed")
	f(`<a><![cdata[x]]></a>`, "declaration")
	f(`<a>]]></a>`, "]]>")
	f(`x<a/>`, "outside")
	f(`<a/>x`, "outside")
	f(`<a/>&#32;`, "outside")
	f(`<![CDATA[x]]><a/>`, "declaration")
	f(`<a/><b/>`, "after the end")
	f(`<a/></a>`, "after the end")
	f(`</a>`, "name")
}

func TestScannerRefusesTags(t *testing.T) {
	f := func(input, want string) {
		t.Helper()
		got, err := walked(new(scanner), []byte(input))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q after\n%s", input, err, want, got)
		}
	}
	f(`<a>`, "the element a is not closed")
	f(`<a>x`, "the element a is not closed")
	f(`<a`, "inside a tag")
	f(`<a b="1"`, "inside a tag")
	f(`<a></b>`, "the end tag must be </a>")
	f(`<a></ab>`, "the end tag must be </a>")
	f(`<a></ a>`, "the end tag must be </a>")
	f(`<a></a`, "the end tag must be </a>")
	f(`<p:a xmlns:p="u" xmlns:q="u"></q:a>`, "the end tag must be </p:a>")
	f(`<a / >`, "name")
	f(`< a/>`, "name")
	f(`<1/>`, "name")
	f(`<ä/>`, "ASCII")
	f(`<p:/>`, "name")
	f(`<:a/>`, "name")
	f(`<p:q:a xmlns:p="u"/>`, "must follow here")
	f(`<p:a/>`, "the prefix p is not declared")
	f(`<a p:b="1"/>`, "the prefix p is not declared")
	f(`<a><b xmlns:p="u"/><p:c/></a>`, "the prefix p is not declared")
	f(`<a b="1" b="2"/>`, "the attribute b is given twice")
	f(`<a p:b="1" q:b="2" xmlns:p="u" xmlns:q="u"/>`, "the attribute b is given twice")
	f(`<a xmlns="u" xmlns="v"/>`, "declared twice")
	f(`<a xmlns:p="u" xmlns:p="u"/>`, "declared twice")
	f(`<a xmlns:p=""/>`, "empty namespace")
	f(`<a xmlns:xmlns="u"/>`, "xmlns")
	f(`<a xmlns:p="http://www.w3.org/2000/xmlns/"/>`, "xmlns")
	f(`<a xmlns:xml="u"/>`, "belong together")
	f(`<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>`, "belong together")
	f(`<xmlns/>`, "no name for an element")
	f(`<xmlns:a/>`, "no name for an element")
	f(`<a b/>`, "needs =")
	f(`<a b=1/>`, "quoted")
	f(`<a b="1"c="2"/>`, "must follow here")
	f(`<a b="<"/>`, "< inside")
	f(`<a b="1/>`, "not closed")
	f(`<a b="&c;"/>`, "not defined")
}

func TestScannerLimits(t *testing.T) {
	repeat := func(n int, text string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	f := func(make func(n int) string, limit int, want string) {
		t.Helper()
		if _, err := walked(new(scanner), []byte(make(limit))); err != nil {
			t.Errorf("%s: at the limit: %v", want, err)
		}
		if _, err := walked(new(scanner), []byte(make(limit+1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("past the limit: error %v, want %q", err, want)
		}
	}
	f(func(n int) string { return repeat(n, "<a>") + repeat(n, "</a>") }, MaxDepth, "nested too deeply")
	f(func(n int) string { return "<a>" + repeat(n-1, "<b/>") + "</a>" }, MaxElements, "too many elements")
	f(func(n int) string { return "<a" + repeat(n, ` b#=""`) + "/>" }, MaxAttributes, "too many attributes")
	f(func(n int) string {
		return "<a" + repeat(40, ` xmlns:b#="u"`) + "><c" + repeat(n-41, ` xmlns:d#="u"`) + "/></a>" // and xml
	}, MaxNamespaces, "too many namespaces")
	f(func(n int) string { return "<" + strings.Repeat("a", n) + "/>" }, MaxName, "name is too long")
	f(func(n int) string { return "<p:" + strings.Repeat("a", n-2) + ` xmlns:p="u"/>` }, MaxName, "name is too long")
	f(func(n int) string { return `<a xmlns="` + strings.Repeat("u", n) + `"/>` }, MaxNamespace, "namespace is too long")
	f(func(n int) string { return "<a>" + strings.Repeat("x", n) + "</a>" }, MaxText, "text is too long")
	f(func(n int) string { return "<a>" + strings.Repeat("x<!---->", n) + "</a>" }, MaxText, "text is too long")
	f(func(n int) string { return "<a>" + strings.Repeat("&lt;", n) + "</a>" }, MaxText, "text is too long")
	f(func(n int) string { return `<a b="` + strings.Repeat("x", n) + `"/>` }, MaxText, "text is too long")
}

func TestScannerIsReusable(t *testing.T) {
	s := new(scanner)
	if _, err := walked(s, []byte(`<p:a xmlns:p="u"><b>x&amp;y`)); err == nil {
		t.Fatal("a document that breaks off was accepted")
	}
	if _, err := walked(s, []byte(`<p:a/>`)); err == nil {
		t.Error("a prefix outlived its document")
	}
	got, err := walked(s, []byte(`<a>z</a>`))
	if want := "start {}a\ntext \"z\"\nend {}a\n"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
