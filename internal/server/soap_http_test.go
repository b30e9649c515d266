package server

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"
)

// TestSOAPOverAnyHTTP: how the bytes come is not the door's concern.
func TestSOAPOverAnyHTTP(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (number, codecs) VALUES ('+14155550123', 'g722')`)
	f := func(what, request string) {
		t.Helper()
		for version, body := range map[[2]string]string{soap11: getCodecs, soap12: getCodecs12} {
			text := strings.NewReplacer("TYPE", version[0], "LENGTH", fmt.Sprint(len(body)), "CHUNKS", chunked(body), "BODY", body).Replace(request)
			connection := s.connect(t)
			for range 2 {
				send(t, connection, text)
				answer := receiveAnswer(t, connection)
				if got := saidIn(t, version, answer); got != getCodecsSays {
					t.Errorf("%s answers %s, want %s", what, got, getCodecsSays)
				}
				if answer.last {
					break
				} // else nothing of the first may stand in the way of the second
			}
		}
	}
	f("HTTP/1.0", "POST /soap HTTP/1.0\r\nContent-Type: TYPE\r\nContent-Length: LENGTH\r\n\r\nBODY")
	f("HTTP/1.0 that stays", "POST /soap HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nContent-Type: TYPE\r\nContent-Length: LENGTH\r\n\r\nBODY")
	f("chunks", "POST /soap HTTP/1.1\r\nHost: a\r\nContent-Type: TYPE\r\nTransfer-Encoding: chunked\r\n\r\nCHUNKS\r\n")
	f("a trailer", "POST /soap HTTP/1.1\r\nHost: a\r\nContent-Type: TYPE\r\nTransfer-Encoding: chunked\r\nTrailer: X-Checksum\r\n\r\nCHUNKSX-Checksum: 1\r\n\r\n")
	f("trailers that nobody announced", "POST /soap HTTP/1.1\r\nHost: a\r\nContent-Type: TYPE\r\nTransfer-Encoding: chunked\r\n\r\nCHUNKSX-A: 1\r\nX-B: 2\r\n\r\n")
	f("an end of the connection", "POST /soap HTTP/1.1\r\nHost: a\r\nContent-Type: TYPE\r\nContent-Length: LENGTH\r\nConnection: close\r\n\r\nBODY")
}

// chunked cuts a body into chunks, the last of which is empty; the trailers follow.
func chunked(body string) string {
	var b strings.Builder
	for len(body) > 0 {
		n := min(len(body), 100)
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	return b.String() + "0\r\n"
}

// TestAClientThatWaitsForLeave sends its body only after it was told to go on.
func TestAClientThatWaitsForLeave(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (number, codecs) VALUES ('+14155550123', 'g722')`)
	connection := s.connect(t)
	reader := bufio.NewReader(connection)
	for range 2 { // and the connection stays usable
		send(t, connection, "POST /soap HTTP/1.1\r\nHost: a\r\nContent-Type: application/soap+xml\r\nExpect: 100-continue\r\n"+
			fmt.Sprintf("Content-Length: %d\r\n\r\n", len(getCodecs12)))
		leave, err := http.ReadResponse(reader, nil)
		if err != nil || leave.StatusCode != http.StatusContinue {
			t.Fatalf("before the body: %v, %v", leave, err)
		}
		send(t, connection, getCodecs12)
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got := saidIn(t, soap12, answer{response.StatusCode, response.Header, response.ContentLength, string(body), response.Close}); got != getCodecsSays {
			t.Errorf("after it: %s, want %s", got, getCodecsSays)
		}
	}
}

// TestSOAPInOtherEncodings goes through HTTP with bytes that are no text to it.
func TestSOAPInOtherEncodings(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (number, codecs) VALUES ('Jörg', 'g722')`)
	body := strings.Replace(getCodecs12, "+14155550123", "Jörg", 1)
	latin := strings.Replace(body, "ö", "\xf6", 1)
	var wide []byte
	for _, unit := range utf16.Encode([]rune("\uFEFF" + body)) {
		wide = binary.LittleEndian.AppendUint16(wide, unit)
	}
	f := func(kind, body string) {
		t.Helper()
		if got := saidIn(t, soap12, s.raw(t, call("Content-Type: "+kind+"\r\n", body))); got != getCodecsSays {
			t.Errorf("%s answers %s, want %s", kind, got, getCodecsSays)
		}
	}
	f("application/soap+xml", body)
	f("application/soap+xml; charset=iso-8859-1", latin)
	f("application/soap+xml", `<?xml version="1.0" encoding="windows-1252"?>`+latin)
	f("application/soap+xml; charset=utf-16", string(wide))
	f("application/soap+xml", string(wide))
	got := saidIn(t, soap12, s.raw(t, call("Content-Type: application/soap+xml; charset=koi8-r\r\n", body)))
	if !strings.HasPrefix(got, `SOAP-ENV:Sender: the charset "koi8-r"`) || !strings.Contains(got, "UTF-16") {
		t.Errorf("an unknown charset answers %s", got)
	}
}
