package soap

import (
	"bytes"
	"testing"
)

const (
	answerBegin = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Body>`
	answerEnd = `</SOAP-ENV:Body></SOAP-ENV:Envelope>`
)

func TestAnswersExactBytes(t *testing.T) {
	f := func(op Op, content func([]byte) []byte, want string) {
		t.Helper()
		got := AppendOpen(nil, SOAP11, op, "n1", 7)
		got = AppendClose(content(got), op)
		all := answerBegin + "<" + op.String() + `Response xmlns="urn:asterism:v1"><instance>n1</instance><revision>7</revision>` +
			want + "</" + op.String() + "Response>" + answerEnd
		if string(got) != all {
			t.Errorf("got\n%s\nwant\n%s", got, all)
		}
		if _, err := oracleTrace(got); err != nil {
			t.Errorf("%v\n%s", err, got)
		}
	}
	nothing := func(dst []byte) []byte { return dst }

	f(GetCodecs, nothing, "")
	f(GetCodecs, func(dst []byte) []byte { return AppendCodecs(dst, "g722, alaw,,ulaw ,") },
		"<codec>g722</codec><codec>alaw</codec><codec>ulaw</codec>")
	f(GetCodecs, func(dst []byte) []byte { return AppendCodecs(dst, []byte("opus")) }, "<codec>opus</codec>")
	f(GetCodecs, func(dst []byte) []byte { return AppendCodecs(dst, " ") }, "")
	f(LookupNumber, nothing, "")
	f(LookupNumber, func(dst []byte) []byte {
		return AppendEntry(dst, Entry[string]{Number: "1", Codecs: "alaw,ulaw", Destination: "PJSIP/6001", Enabled: true, Note: "a<b"})
	}, "<entry><number>1</number><tenant></tenant><codec>alaw</codec><codec>ulaw</codec>"+
		"<destination>PJSIP/6001</destination><enabled>true</enabled><note>a&lt;b</note></entry>")
	f(LookupNumber, func(dst []byte) []byte {
		return AppendEntry(dst, Entry[[]byte]{Number: []byte("1"), Tenant: []byte("acme")})
	},
		"<entry><number>1</number><tenant>acme</tenant><enabled>false</enabled></entry>")
	f(RealtimeSingle, nothing, "")
	f(RealtimeMulti, func(dst []byte) []byte {
		dst = AppendRowClose(AppendField(AppendRowOpen(dst), "id", "6001"))
		dst = AppendField(AppendRowOpen(dst), []byte("id"), []byte("6002"))
		return AppendRowClose(AppendField(dst, "contact", "sip:6002@[::1];x=1&y"))
	}, "<row><field><name>id</name><value>6001</value></field></row><row><field><name>id</name><value>6002</value></field>"+
		"<field><name>contact</name><value>sip:6002@[::1];x=1&amp;y</value></field></row>")
	f(RealtimeUpdate, func(dst []byte) []byte { return AppendCount(dst, 0) }, "<count>0</count>")
	f(RealtimeDestroy, func(dst []byte) []byte { return AppendCount(dst, -1) }, "<count>-1</count>")
	f(RealtimeRequire, func(dst []byte) []byte { return AppendOK(dst, true) }, "<ok>true</ok>")
	f(RealtimeRequire, func(dst []byte) []byte { return AppendOK(dst, false) }, "<ok>false</ok>")
	f(Watch, func(dst []byte) []byte { return AppendReset(dst, false) }, "<reset>false</reset>")
	f(Watch, func(dst []byte) []byte {
		dst = AppendChange(AppendReset(dst, false), "queue_members", []string{"a<b", ""})
		return AppendChange(dst, "ps_aors", nil)
	}, "<reset>false</reset><change><family>queue_members</family><key>a&lt;b</key><key></key></change><change><family>ps_aors</family></change>")
	f(Watch, func(dst []byte) []byte {
		dst = AppendFamily(AppendReset(dst, true), Family{Name: "iaxfriends", Aliases: []string{"iaxpeers", "iaxusers"}, Key: []string{"name"}, Listing: "all"})
		return AppendFamily(dst, Family{Name: "notes", Listing: "none"})
	}, "<reset>true</reset><family><name>iaxfriends</name><alias>iaxpeers</alias><alias>iaxusers</alias><key>name</key><listing>all</listing></family>"+
		"<family><name>notes</name><listing>none</listing></family>")
	f(RealtimeStatic, func(dst []byte) []byte {
		return AppendLine(dst, Line[string]{Category: "general", VarName: "strategy", VarVal: "linear", CatMetric: 3})
	}, "<line><category>general</category><var_name>strategy</var_name><var_val>linear</var_val><cat_metric>3</cat_metric></line>")
}

func TestAnswerIsAppended(t *testing.T) {
	got := AppendClose(AppendOpen([]byte("before"), SOAP11, GetCodecs, "<node>", 18446744073709551615), GetCodecs)
	want := "before" + answerBegin + `<GetCodecsResponse xmlns="urn:asterism:v1"><instance>&lt;node&gt;</instance>` +
		`<revision>18446744073709551615</revision></GetCodecsResponse>` + answerEnd
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTextIsEscaped(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		if got := string(appendText(nil, text)); got != want {
			t.Errorf("%q as string: got %q, want %q", text, got, want)
		}
		if got := string(appendText(nil, []byte(text))); got != want {
			t.Errorf("%q as bytes: got %q, want %q", text, got, want)
		}
	}
	f("", "")
	f("plain", "plain")
	f(`<a href="x">&amp;'</a>]]>`, `&lt;a href=&quot;x&quot;&gt;&amp;amp;'&lt;/a&gt;]]&gt;`)
	f("a\tb\nc\rd\r\n", "a\tb\nc&#13;d&#13;\n")
	f("\x00a\x1fb\x7f\u0085", "\uFFFDa\uFFFDb\x7f\u0085")
	f("é😀\u2028", "é😀\u2028")
	f("\xffé\xc3", "\uFFFDé\uFFFD")
	f("\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD")
	f("\uFFFE\uFFFF\uFFFD", "\uFFFD\uFFFD\uFFFD")
}

// FuzzText holds that any value can be written, and that one which XML can hold comes back as it was, from an element
// and from an attribute.
func FuzzText(f *testing.F) {
	f.Add([]byte("a<b>&\"'\r\n\t]]>\x00\xff\uFFFE😀"))
	s := new(scanner)
	f.Fuzz(func(t *testing.T, value []byte) {
		if len(value) > MaxText/3 {
			return
		}
		escaped := appendText(nil, value)
		document := "<a b=\"" + string(escaped) + "\">" + string(escaped) + "</a>"
		got, err := walked(s, []byte(document))
		if err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		want := &scanner{input: value}
		if want.checkCharacters() != nil {
			return
		}
		s.open([]byte(document))
		if found, err := s.next(); found != startElement || err != nil || !bytes.Equal(s.attributes[0].value, value) {
			t.Errorf("the attribute came back as\n%s", got)
		}
		if _, err := s.next(); err != nil || len(value) > 0 && !bytes.Equal(s.text, value) {
			t.Errorf("the text came back as\n%s", got)
		}
	})
}
