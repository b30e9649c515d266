package server

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// answersTo sends bytes, closes this side, and gives all answers as "status body".
func (s *serving) answersTo(t *testing.T, text string) (out []string) {
	t.Helper()
	connection := s.connect(t)
	send(t, connection, text)
	if err := connection.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(connection)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if lower := strings.ToLower(string(all)); strings.Contains(lower, "<html") || strings.Contains(lower, "text/html") {
		t.Errorf("%q answers a page: %q", text, all)
	}
	reader := bufio.NewReader(strings.NewReader(string(all)))
	method, _, _ := strings.Cut(text, " ")
	for {
		response, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil {
			if reader.Buffered() > 0 {
				t.Errorf("%q answers what is no answer: %q", text, all)
			}
			return out
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Errorf("%q answers half: %q", text, all)
		}
		out = append(out, strings.TrimSpace(response.Status[:4]+string(body)))
	}
}

// TestNoRequestHidesInAnother: where a request ends must never be in doubt. Each
// is followed by a question; it is answered right or not at all, and what stands
// in the first one's body is never taken for a request.
func TestNoRequestHidesInAnother(t *testing.T) {
	s, o := seeded(t, `INSERT INTO ps_aors (id, max_contacts) VALUES ('x', 1)`, `INSERT INTO ps_aors (id, max_contacts) VALUES ('y', 1)`)
	const next = "200 id=y&max_contacts=1"
	question := asAsterisk("/rt/ps_aors/single", "id=y")
	hidden := asAsterisk("/rt/ps_aors/update?id=x", "max_contacts=9")
	post := func(target, headers, body string) string {
		return "POST " + target + " HTTP/1.1\r\nHost: dir\r\n" + headers + "\r\n" + body
	}
	f := func(request string, want ...string) {
		t.Helper()
		got := s.answersTo(t, request+question)
		if strings.Join(got, " | ") != strings.Join(want, " | ") {
			t.Errorf("%.300q answers %q, want %q", request, got, want)
		}
		if stored := o.text("SELECT group_concat(id || max_contacts) FROM ps_aors"); stored != "x1,y1" {
			t.Fatalf("%.300q wrote: %s", request, stored)
		}
	}
	// Length in doubt: refused, and the connection ends.
	f(post("/rt/ps_aors/single", "Content-Length: 4\r\nContent-Length: 4\r\n", "id=x"), "400")
	f(post("/rt/ps_aors/update?id=x", "Content-Length: 0\r\nContent-Length: 4\r\n", "id=x"), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Content-Length: 4, 4\r\n", "id=x"), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Content-Length: -1\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Content-Length: +4\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Content-Length: 0x4\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Content-Length: 18446744073709551616\r\n", hidden), "413 -1")
	f(post("/rt/ps_aors/update?id=x", "Content-Length: 9223372036854775807\r\n", hidden), "413 -1")
	f(post("/rt/ps_aors/update?id=x", "Content-Length:\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Content-Length : 4\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"+hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"+hidden), "501 -1")
	f(post("/rt/ps_aors/update?id=x", "Transfer-Encoding: xchunked\r\n", hidden), "501 -1")
	f(post("/rt/ps_aors/update?id=x", "Transfer-Encoding : chunked\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Transfer-Encoding: chunked\r\n", "-1\r\n"+hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Transfer-Encoding: chunked\r\n", "ffffffffffffffff1\r\n"+hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "Transfer-Encoding: chunked\r\n", "3\nabc\r\n0\r\n\r\n"), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "X: y\r\n folded: yes\r\nContent-Length: 0\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "X: y\r\nHost: other\r\nContent-Length: 0\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "X: a\x00b\r\nContent-Length: 0\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/update?id=x", "no colon\r\nContent-Length: 0\r\n", hidden), "400 -1")
	f(post("/rt/ps_aors/single", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "4\r\nid=y\r\n0\r\n\r\n"+hidden), "400")
	f(post("/rt/ps_aors/single", "Transfer-Encoding: chunked\r\nContent-Length: 500\r\n", "4\r\nid=y\r\n0\r\n\r\n"+hidden), "400")
	// Targets.
	f(post("/rt/ps_aors/update?id=\x00x", "Content-Length: 0\r\n", hidden), "400 -1")
	f(post("rt/ps_aors/update", "Content-Length: 0\r\n", hidden), "400 -1")
	f(post("*", "Content-Length: 0\r\n", hidden), "400")
	f(post("http://dir.example.net/rt/ps_aors/single", "Content-Length: 4\r\n", "id=y"), next, next)
	f(post("http://dir.example.net", "Content-Length: 4\r\n", "id=y"), "404", next)
	f(post("//rt/ps_aors/single", "Content-Length: 4\r\n", "id=y"), "404", next)
	f(post("/rt/../rt/ps_aors/single", "Content-Length: 4\r\n", "id=y"), "404", next)
	f(post("/rt/ps_aors%2Fsingle", "Content-Length: 4\r\n", "id=y"), "404", next)
	// Bodies that hold a request.
	f(asAsterisk("/rt/ps_aors/single", hidden), "200", next)
	f(post("/rt/ps_aors/single", "Transfer-Encoding: chunked\r\n", "4\r\nid=y\r\n0\r\nX: y\r\n\r\n"), next, next)
	f("\r\n\r\n"+asAsterisk("/rt/ps_aors/single", "id=y"), next, next)
	f(asked("/rt/ps_aors/single?id=y"), next, next)
	f(strings.Repeat(asAsterisk("/rt/ps_aors/single", "id=y"), 3), next, next, next, next)
	s.unknownMethods(t, question, next)
}

// unknownMethods asks with what neither Asterisk nor SOAP uses: nothing is written.
func (s *serving) unknownMethods(t *testing.T, question, next string) {
	t.Helper()
	for _, method := range []string{"PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "BREW"} {
		for target, want := range map[string]string{
			"/rt/ps_aors/single?id=x": "405", "/rt/ps_aors/update?id=x": "405 -1", "/rt/ps_aors/store": "405 -1", "/rt/ps_aors/destroy": "405 -1",
			"/lookup?number=1": "405", "/soap": "405 " + faultOf("Client", "unknown method"),
		} {
			request := strings.Replace(asAsterisk(target, "id=x&max_contacts=9"), "POST", method, 1)
			if got := s.answersTo(t, request+question); strings.Join(got, " | ") != want+" | "+next {
				t.Errorf("%s %s answers %q, want %s and %s", method, target, got, want, next)
			}
		}
	}
	connection := s.connect(t)
	send(t, connection, strings.Replace(asked("/rt/ps_aors/update?id=x,max_contacts=9"), "GET", "HEAD", 1)+question)
	reader := bufio.NewReader(connection)
	head, err := http.ReadResponse(reader, &http.Request{Method: http.MethodHead})
	if err != nil || head.StatusCode != http.StatusMethodNotAllowed || head.Header.Get("Allow") != "GET, POST" {
		t.Fatalf("HEAD answers %v %v", head, err)
	}
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(response.Body); err != nil || "200 "+string(body) != next {
		t.Errorf("after HEAD a question is answered %q %v", body, err)
	}
}
