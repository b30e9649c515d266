package server

import (
	"context"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/meter"
	"asterism/internal/realtime"
	"asterism/internal/soap"
)

const contactID = "6001%3B%40c4fa77590513a6b0e3a4223d63c49aac"

func TestCountsAreRowsMatched(t *testing.T) {
	t.Parallel()
	s, o := seeded(t,
		`INSERT INTO ps_contacts (id, uri, expiration_time) VALUES ('6001^3B@c4fa77590513a6b0e3a4223d63c49aac', 'sip:6001@203.0.113.7:5060', 4102444800)`,
		`INSERT INTO ps_aors (id, max_contacts) VALUES ('6001', 2)`,
		`INSERT INTO extensions (context, exten, priority, app, appdata) VALUES ('in', '1', 1, 'Answer', ''), ('in', '1', 2, 'Dial', 'x')`)
	f := func(target, body, want string) {
		t.Helper()
		got := s.raw(t, asAsterisk(target, body))
		if got.status != 200 || got.body != want {
			t.Errorf("%s %s answers %d %q, want 200 %q", target, body, got.status, got.body, want)
		}
	}
	// The same values again are a match: a 0 makes the registrar delete the contact.
	f("/rt/ps_contacts/update?id="+contactID, "uri=sip%3A6001%40203.0.113.7%3A5060&expiration_time=4102444800", "1")
	f("/rt/ps_contacts/update?id="+contactID, "uri=sip%3A6001%40203.0.113.7%3A5060&expiration_time=4102444800", "1")
	f("/rt/ps_aors/update?id=6001", "max_contacts=2", "1")
	f("/rt/ps_aors/update?id=6001", "max_contacts=2", "1")
	f("/rt/extensions/update?exten=1", "appdata=y", "2")
	f("/rt/extensions/update?exten=1", "appdata=y", "2")
	// What is not there.
	f("/rt/ps_contacts/update?id=6009%3B%40c4fa", "uri=sip%3Ax", "0")
	f("/rt/ps_aors/update?id=6009", "max_contacts=2", "0")
	f("/rt/ps_aors/destroy", "id=6009&", "0")
	// A second store of the same id is one row with the newest values.
	f("/rt/ps_contacts/store", "id="+contactID+"&uri=sip%3A6001%40203.0.113.8%3A5060&expiration_time=4102444801", "1")
	f("/rt/ps_contacts/multi", "id%20LIKE=6001%3B%40%25", "id="+contactID+"&uri=sip%3A6001%40203.0.113.8%3A5060&expiration_time=4102444801\n")
	f("/rt/ps_aors/store", "id=6001&max_contacts=3", "1")
	f("/rt/ps_aors/multi", "id%20LIKE=%25", "id=6001&max_contacts=3\n")
	soon(t, "one contact with the newest URI is in SQL", func() bool {
		return o.text("SELECT count(*) || ' ' || uri FROM ps_contacts") == "1 sip:6001@203.0.113.8:5060"
	})
	// destroy ends with a blind "&".
	f("/rt/ps_contacts/destroy", "id="+contactID+"&", "1")
	f("/rt/ps_contacts/destroy", "id="+contactID+"&", "0")
	f("/rt/ps_aors/destroy", "id=6001&", "1")
	f("/rt/ps_aors/destroy", "id=6001&", "0")
	f("/rt/extensions/destroy", "exten=1&priority=2&context=in", "1")
	f("/rt/extensions/multi", "exten=1", "id=1&context=in&exten=1&priority=1&app=Answer&appdata=y\n")
	soon(t, "the contact is gone from SQL", func() bool { return o.text("SELECT count(*) FROM ps_contacts") == "0" })
}

// TestAnInvariantOfOursThatBreaks uses a door that lacks its inner parts: each
// request panics in it.
func TestAnInvariantOfOursThatBreaks(t *testing.T) {
	t.Parallel()
	door := &realtime.Door{Log: slog.New(slog.DiscardHandler), Now: time.Now, Rejected: meter.NewVector("rejected", "", "reason")}
	l := newAsteriskListener(door, &soap.Door{Directory: directory.New(family.Standard().All(), nil)}, nil, slog.New(slog.NewTextHandler(io.Discard, nil)))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- l.serve(listener) }()
	s := &serving{Addresses: Addresses{Asterisk: listener.Addr().String()}}
	f := func(target, want string) {
		t.Helper()
		got := s.raw(t, asAsterisk(target, "id=6001"))
		if got.status != 500 || got.body != want {
			t.Errorf("%s answers %d %q, want 500 %q", target, got.status, got.body, want)
		}
	}
	f("/rt/ps_aors/update?id=6001", "-1")
	f("/rt/ps_aors/store", "-1")
	f("/rt/ps_aors/destroy", "-1")
	f("/rt/ps_aors/require", "-1")
	f("/rt/ps_aors/single", "")
	f("/rt/ps_aors/multi", "")
	f("/rt/ps_aors/static", "")
	if got := said(t, s.raw(t, call(plainHeader, getCodecs))); got != "SOAP-ENV:Server: internal error; the server's log has the cause" {
		t.Errorf("SOAP answers %s", got)
	}
	l.drain(context.Background(), listener)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
