package server

import (
	"strings"
	"testing"
)

func TestAnswersAreEscapedByteForByte(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t,
		`INSERT INTO ps_endpoints (id, callerid, sdp_session) VALUES ('6001', '"Ann Lee" <6001>', 'A+B^3B 50% off')`,
		"INSERT INTO ps_endpoints (id, callerid, accountcode) VALUES ('6002', 'a\r\nb', 'Zoë-_.!~*''()')")
	f := func(id, want string) {
		t.Helper()
		got := s.raw(t, asAsterisk("/rt/ps_endpoints/single", "id="+id))
		if got.body != want || got.length != int64(len(want)) {
			t.Errorf("endpoint %s answers %q (Content-Length %d), want %q", id, got.body, got.length, want)
		}
		if strings.Contains(got.body, "+") {
			t.Errorf("endpoint %s answers a raw +, which Asterisk keeps as it is: %q", id, got.body)
		}
	}
	f("6001", "id=6001&callerid=%22Ann%20Lee%22%20%3C6001%3E&sdp_session=A%2BB%3B%2050%25%20off")
	f("6002", "id=6002&callerid=a%0D%0Ab&accountcode=Zo%C3%AB-_.!~*'()")
	lines := s.ask(t, "/rt/ps_endpoints/multi", "callerid%20!%3D=")
	if strings.Count(lines, "\n") != 2 || strings.Contains(lines, "\r") {
		t.Errorf("two rows, one with a line break in a value, answer %q", lines)
	}
}

func TestRequestsAreDecodedByteForByte(t *testing.T) {
	t.Parallel()
	s, o := seeded(t)
	f := func(wire, sql string) {
		t.Helper()
		if got := s.ask(t, "/rt/ps_endpoints/store", "id=6001&callerid="+wire); got != "1" {
			t.Fatalf("store of %s answers %q", wire, got)
		}
		if got := o.text("SELECT callerid FROM ps_endpoints WHERE id = '6001'"); got != sql {
			t.Errorf("%s is %q in SQL, want %q", wire, got, sql)
		}
	}
	f("%22Ann%20Lee%22%20%3C6001%3E", `"Ann Lee" <6001>`)
	f("%22ann%20lee%22%20%3c6001%3e", `"ann lee" <6001>`) // hexadecimal digits in any case
	f("a+b", "a+b")                                       // a plus is never a blank
	f("a%2Bb%3Bc%5Ed", "a+b^3Bc^5Ed")                     // as Asterisk's SQL drivers write
	f("50%", "50%")
	f("50%2", "50%2")
	f("%zz%4", "%zz%4")
	f("a=b", "a=b")
	f("Zo%C3%AB", "Zoë")
}

func TestSeveralValuesOfAColumn(t *testing.T) {
	t.Parallel()
	s, o := seeded(t)
	if got := s.ask(t, "/rt/ps_endpoints/store", "id=6001&set_var=a%3D1&set_var=b%3D2%3B3&allow=ulaw&allow=alaw"); got != "1" {
		t.Fatalf("store answers %q", got)
	}
	if got, want := o.text("SELECT set_var || ' ' || allow FROM ps_endpoints"), "a=1;b=2^3B3 ulaw;alaw"; got != want {
		t.Errorf("SQL holds %q, want %q", got, want)
	}
	want := "id=6001&allow=ulaw&allow=alaw&set_var=a%3D1&set_var=b%3D2%3B3"
	if got := s.ask(t, "/rt/ps_endpoints/single", "id=6001"); got != want {
		t.Errorf("single answers %q, want %q", got, want)
	}
}
