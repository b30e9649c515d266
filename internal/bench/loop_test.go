package bench

import (
	"bufio"
	"bytes"
	"testing"
)

const (
	soapAnswer = `<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body><GetCodecsResponse xmlns="urn:asterism:v1">` +
		`<instance>x</instance><revision>1</revision><codec>ulaw</codec><codec>alaw</codec></GetCodecsResponse></S:Body></S:Envelope>`
	curlAnswer = "number=%2B14155550123&codecs=ulaw%2Calaw"
	chunked    = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
)

func loopFor(t testing.TB, name string) *loop {
	t.Helper()
	speaks, err := newDoor(name)
	if err != nil {
		t.Fatal(err)
	}
	head := requestHead(job{Path: "/", Host: "127.0.0.1"}, speaks)
	return &loop{door: speaks, head: head, draw: draw{checked: true}, latencies: newLatencies()}
}

// hotSteps are the steps of a request that are this side's work.
func hotSteps(t testing.TB) map[string]func() {
	overSOAP, overCurl := loopFor(t, "soap"), loopFor(t, "curl")
	asked := &question{"+14155550123", "ulaw,alaw"}
	check := func(over *loop, body string) func() {
		answer := response{status: 200, body: []byte(body)}
		return func() {
			if err := over.check(asked, answer); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := []byte(chunked)
	stream := bytes.NewReader(text)
	reader := bufio.NewReaderSize(stream, maxHeaderLine)
	var room []byte
	return map[string]func(){
		"prepare soap": func() { overSOAP.prepare(asked.number) },
		"prepare curl": func() { overCurl.prepare(asked.number) },
		"check soap":   check(overSOAP, soapAnswer),
		"check curl":   check(overCurl, curlAnswer),
		"record":       func() { recordLatency(overSOAP.latencies, requestDeadline) },
		"read": func() {
			stream.Reset(text)
			reader.Reset(stream)
			answer, err := readResponse(reader, room)
			if err != nil {
				t.Fatal(err)
			}
			room = answer.body
		},
	}
}

func TestAskingAllocatesNothing(t *testing.T) {
	for name, step := range hotSteps(t) {
		if count := testing.AllocsPerRun(100, step); count != 0 {
			t.Errorf("%s: %v allocations", name, count)
		}
	}
}

func BenchmarkAsking(b *testing.B) {
	for name, step := range hotSteps(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
		})
	}
}
