package server

import (
	"strings"
	"testing"
)

// pins gives what SQL says of the mailboxes, in order of their numbers.
func (o *outsider) pins() string {
	o.t.Helper()
	return o.text("SELECT group_concat(context || ' ' || mailbox || ' ' || password || ' ' || coalesce(email, ''), ', ') FROM (SELECT * FROM voicemail ORDER BY uniqueid)")
}

// mailboxes are the rows of the case of the voicemail PIN.
const mailboxes = `INSERT INTO voicemail (uniqueid, context, mailbox, password) VALUES (7, 'default', '1001', '1111'), (8, 'default', '1002', '2222'), (9, 'sales', '1001', '3333')`

func TestUpdate2ChangesTheOneMailboxThatItMeans(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, mailboxes)
	got := s.raw(t, "POST /rt/voicemail/update?&context=defaultmailbox=1001 HTTP/1.1\r\n"+
		"Host: dir.example.net:8640\r\n"+
		"User-Agent: asterisk-libcurl-agent/1.0\r\n"+
		"Accept: */*\r\n"+
		"Content-Type: application/x-www-form-urlencoded\r\n"+
		"Content-Length: 14\r\n\r\n"+
		"&password=4321")
	if got.status != 200 || got.body != "1" {
		t.Fatalf("answer %d %q, want 200 and 1", got.status, got.body)
	}
	f := func(conditions, want string) {
		t.Helper()
		if got := idsOf(s.ask(t, "/rt/voicemail/multi", conditions), "password"); got != want {
			t.Errorf("passwords of %s: %q, want %q", conditions, got, want)
		}
	}
	f("mailbox=1001&context=default", "4321")
	f("mailbox=1002&context=default", "2222")
	f("mailbox=1001&context=sales", "3333")
	// A volatile column reaches SQL through the spool.
	want := "default 1001 4321 , default 1002 2222 , sales 1001 3333 "
	soon(t, "the new PIN is in SQL", func() bool { return o.pins() == want })
	// Core sends the same request to each extconfig priority.
	if again := s.ask(t, "/rt/voicemail/update?&context=defaultmailbox=1001", "&password=4321"); again != "1" {
		t.Errorf("the same again answers %q, want 1", again)
	}
}

func TestUpdate2OfThreeLookupsAndTwoValues(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, mailboxes)
	f := func(query, body, want, pins string) {
		t.Helper()
		if got := s.ask(t, "/rt/voicemail/update?"+query, body); got != want {
			t.Errorf("%s with %s answers %q, want %q", query, body, got, want)
		}
		if got := o.pins(); got != pins {
			t.Errorf("after %s with %s SQL holds %s, want %s", query, body, got, pins)
		}
	}
	const before = "default 1001 1111 , default 1002 2222 , sales 1001 3333 "
	const after = "default 1001 4321 a@example.com, default 1002 2222 , sales 1001 3333 "
	f("&context=defaultmailbox=1001uniqueid=8", "&password=4321email=a%40example.com", "0", before)
	f("&context=defaultmailbox=1001uniqueid=7", "&password=4321email=a%40example.com", "1", after)
	f("&context=defaultmailbox=1001uniqueid=7", "&password=4321email=a%40example.com", "1", after)
	// A name may carry an operator here too.
	f("&context=salesmailbox%20LIKE=100%25", "&email=b%3Dc", "1", strings.Replace(after, "3333 ", "3333 b=c", 1))
}

func TestUpdate2NeverAppliesWithFewerConditions(t *testing.T) {
	t.Parallel()
	s, o, log := seededLogging(t, mailboxes)
	const before = "default 1001 1111 , default 1002 2222 , sales 1001 3333 "
	refused := 0
	f := func(query, body string) {
		t.Helper()
		if got := s.ask(t, "/rt/voicemail/update?"+query, body); got != "-1" {
			t.Errorf("%s with %s answers %q, want -1", query, body, got)
		}
		if got := o.pins(); got != before {
			t.Errorf("%s with %s changed SQL to %s", query, body, got)
		}
		refused++
		if lines := log.lines("level=WARN", "nothing was changed", "voicemail", "127.0.0.1"); len(lines) > refused {
			t.Errorf("%d warnings about %d refused writes", len(lines), refused)
		}
	}
	f("&context=defaultnosuch=1001", "&password=4321")
	f("&context=default=1001", "&password=4321")
	f("&context=defaultmailbox=1001", "&password=4321nosuch=a")
	f("&context=defaultmailbox=1001", "&")
	f("&context=defaultmailbox=1001", "")
	f("&", "&password=4321")
	f("", "&password=4321")
	f("&context", "&password=4321")
	if lines := log.lines("level=WARN", "nothing was changed", "voicemail", "127.0.0.1"); len(lines) != refused {
		t.Errorf("%d warnings about %d refused writes", len(lines), refused)
	}
	// A first name that is no column is a condition that nothing satisfies.
	if got := s.ask(t, "/rt/voicemail/update?&nosuch=defaultmailbox=1001", "&password=4321"); got != "-1" || o.pins() != before {
		t.Errorf("a condition on a column that is unknown: %q, %s", got, o.pins())
	}
}
