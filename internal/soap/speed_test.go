package soap

import (
	"encoding/binary"
	"encoding/xml"
	"strings"
	"testing"
)

func TestParseDoesNotAllocate(t *testing.T) {
	r := new(Request)
	for op, in11 := range everyOperation() {
		for _, body := range []string{in11, strings.Replace(in11, envelope11, envelope12, 1)} {
			input, header := []byte(body), []byte(type12+`; action="urn:asterism:v1#`+op.String()+`"`)
			parse := func() {
				kind := parseMediaType(header)
				if err := r.parse(input, kind); err != nil || checkTypesAction(kind.action, op) != nil {
					t.Fatal(err)
				}
			}
			parse() // the first time the memory grows
			if got := testing.AllocsPerRun(100, parse); got != 0 {
				t.Errorf("%s: %v allocations", op, got)
			}
		}
	}
}

// TestTheDoorDoesNotAllocate goes around the pool of Door.Answer, which forgets at random under the race detector.
func TestTheDoorDoesNotAllocate(t *testing.T) {
	door := doorOf(t, 1)
	buffer := make([]byte, 0, 4096)
	for _, body := range []string{in11("", question0), in12("", question0)} {
		x := &exchange{door: door.Door, view: door.Directory.View()}
		x.call = Call{Type: []byte(type12), Action: []byte(`""`), Body: []byte(body)}
		got := testing.AllocsPerRun(100, func() {
			x.kind = parseMediaType(x.call.Type)
			if answer := x.answer(t.Context(), buffer); answer.Status != 200 {
				t.Fatal(string(answer.Body))
			}
		})
		if got != 0 {
			t.Errorf("%v allocations for\n%s", got, body)
		}
	}
}

func TestAnswersDoNotAllocate(t *testing.T) {
	buffer := make([]byte, 0, 4096)
	f := func(name string, write func(dst []byte) []byte) {
		t.Helper()
		if got := testing.AllocsPerRun(100, func() { write(buffer) }); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
	value := []byte("a<é\xff😀\r>")
	fault := &Fault{Code: Client, Text: "a<é>"}
	f("GetCodecs", answerGetCodecs)
	f("field", func(dst []byte) []byte { return AppendField(dst, value, value) })
	f("entry", func(dst []byte) []byte {
		return AppendEntry(dst, Entry[[]byte]{Number: value, Codecs: value, Destination: value, Note: value})
	})
	f("line", func(dst []byte) []byte { return AppendLine(dst, Line[string]{Category: "a<é", CatMetric: 123456}) })
	f("count", func(dst []byte) []byte { return AppendCount(dst, 123456) })
	f("fault", func(dst []byte) []byte { return AppendFault(dst, SOAP11, fault) })
	f("fault in 1.2", func(dst []byte) []byte { return AppendFault(dst, SOAP12, fault) })
	f("action", func(dst []byte) []byte { CheckAction([]byte(`"urn:asterism:v1#GetCodecs"`), GetCodecs); return dst })
}

func answerGetCodecs(dst []byte) []byte {
	dst = AppendOpen(dst, SOAP11, GetCodecs, "node-1.example.net", 1234567)
	dst = AppendCodecs(dst, "g722,alaw,ulaw")
	return AppendClose(dst, GetCodecs)
}

func BenchmarkParseGetCodecs(b *testing.B) {
	benchmarkParse(b, GetCodecs)
}

// BenchmarkParseGetCodecsAnew is the same for a call that is unlike the one before.
func BenchmarkParseGetCodecsAnew(b *testing.B) {
	body := []byte(everyOperation()[GetCodecs])
	r := new(Request)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		r.last.op = NoOperation
		if err := r.Parse(body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseRealtimeUpdate(b *testing.B) {
	benchmarkParse(b, RealtimeUpdate)
}

func benchmarkParse(b *testing.B, op Op) {
	body := []byte(everyOperation()[op])
	r := new(Request)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Parse(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseGetCodecsUTF16 pays for another encoding.
func BenchmarkParseGetCodecsUTF16(b *testing.B) {
	body := []byte(utf16Of("\uFEFF"+everyOperation()[GetCodecs], binary.LittleEndian))
	r := new(Request)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Parse(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseGetCodecsEncodingXML does the same with the standard library.
func BenchmarkParseGetCodecsEncodingXML(b *testing.B) {
	type envelope struct {
		XMLName xml.Name `xml:"http://schemas.xmlsoap.org/soap/envelope/ Envelope"`
		Body    struct {
			GetCodecs struct {
				Number string `xml:"number"`
				Tenant string `xml:"tenant"`
			} `xml:"urn:asterism:v1 GetCodecs"`
		} `xml:"http://schemas.xmlsoap.org/soap/envelope/ Body"`
	}
	body := []byte(everyOperation()[GetCodecs])
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var e envelope
		if err := xml.Unmarshal(body, &e); err != nil || e.Body.GetCodecs.Number == "" {
			b.Fatal(err)
		}
	}
}

func BenchmarkAnswerGetCodecs(b *testing.B) {
	buffer := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		buffer = answerGetCodecs(buffer[:0])
	}
}

// BenchmarkAnswerGetCodecsEncodingXML does the same with the standard library.
func BenchmarkAnswerGetCodecsEncodingXML(b *testing.B) {
	type response struct {
		XMLName  xml.Name `xml:"urn:asterism:v1 GetCodecsResponse"`
		Instance string   `xml:"instance"`
		Revision uint64   `xml:"revision"`
		Codec    []string `xml:"codec"`
	}
	type envelope struct {
		XMLName xml.Name `xml:"http://schemas.xmlsoap.org/soap/envelope/ Envelope"`
		Body    struct {
			Response response
		} `xml:"Body"`
	}
	b.ReportAllocs()
	for b.Loop() {
		var e envelope
		e.Body.Response = response{Instance: "node-1.example.net", Revision: 1234567, Codec: []string{"g722", "alaw", "ulaw"}}
		if _, err := xml.Marshal(e); err != nil {
			b.Fatal(err)
		}
	}
}
