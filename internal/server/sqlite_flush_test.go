package server

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhatAsteriskWritesBecomesRows: the flusher writes the columns that were
// written and leaves all others to those who changed them meanwhile.
func TestWhatAsteriskWritesBecomesRows(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, mailboxes,
		`INSERT INTO sippeers (name, secret) VALUES ('6001', 'old')`,
		`INSERT INTO queue_members (queue_name, interface, membername) VALUES ('q', 'PJSIP/1', 'Ann')`,
		`INSERT INTO meetme (bookid, confno, members) VALUES (1, '800', 0)`,
		`INSERT INTO iaxfriends (name, secret) VALUES ('7001', 's')`)
	f := func(target, body, query, want string) {
		t.Helper()
		if got := s.ask(t, target, body); got != "1" {
			t.Errorf("%s %s answers %q, want 1", target, body, got)
		}
		soon(t, query+" = "+want, func() bool { return o.text(query) == want })
	}
	f("/rt/ps_contacts/store", "id=6001%3B%40c4fa&uri=sip%3A6001%40192.0.2.5%3Bob&expiration_time=4102444800&path=&outbound_proxy=&qualify_timeout=3.000000&via_port=",
		"SELECT id || ' ' || uri || ' ' || expiration_time || ' ' || path || ' ' || qualify_timeout || ' ' || typeof(via_port) FROM ps_contacts", "6001^3B@c4fa sip:6001@192.0.2.5^3Bob 4102444800  3.0 null")
	f("/rt/ps_contacts/update?id=6001%3B%40c4fa", "expiration_time=4102444801&reg_server=a", "SELECT expiration_time || reg_server FROM ps_contacts", "4102444801a")
	f("/rt/ps_contacts/destroy", "id=6001%3B%40c4fa&", "SELECT count(*) FROM ps_contacts", "0")
	f("/rt/ps_subscription_persistence/store", "id=s1&packet=SUBSCRIBE%0D%0A&cseq=1", "SELECT id || packet || cseq FROM ps_subscription_persistence", "s1SUBSCRIBE\r\n1")
	f("/rt/sippeers/update?name=6001", "ipaddr=192.0.2.5&port=5060&regseconds=1&useragent=x%3By", "SELECT ipaddr || port || useragent || secret FROM sippeers", "192.0.2.55060x^3Byold")
	f("/rt/iaxpeers/update?name=7001", "ipaddr=192.0.2.5&port=4569&regseconds=1", "SELECT ipaddr || port || secret FROM iaxfriends", "192.0.2.54569s")
	f("/rt/queue_members/update?uniqueid=1", "paused=1&reason_paused=", "SELECT paused || membername FROM queue_members", "1Ann")
	f("/rt/queue_members/update?uniqueid=1", "penalty=5&ringinuse=no", "SELECT penalty || ringinuse || paused FROM queue_members", "5no1")
	f("/rt/meetme/update?confno=800", "members=3", "SELECT members FROM meetme", "3")
	f("/rt/mailboxes/store", "id=1001%40default&msgs_new=2&msgs_old=0", "SELECT id || msgs_new || msgs_old FROM mailboxes", "1001@default20")
	f("/rt/voicemail_data/store", "filename=a%2Fmsg0000&duration=7", "SELECT filename || duration FROM voicemail_data", "a/msg00007")
	f("/rt/sipregs/store", "name=6001&fullcontact=sip%3A6001%40192.0.2.5%3Bob", "SELECT fullcontact FROM sipregs", "sip:6001@192.0.2.5^3Bob")
	f("/rt/cdr/store", "accountcode=a&src=1&uniqueid=1.1", "SELECT accountcode || src || uniqueid FROM cdr", "a11.1")
	// A write that has one column of the operator's goes straight to SQL.
	if got := s.ask(t, "/rt/voicemail/update?mailbox=1002", "password=9&email=x"); got != "1" {
		t.Errorf("update answers %q", got)
	}
	if got := o.text("SELECT password || email FROM voicemail WHERE mailbox = '1002'"); got != "9x" {
		t.Errorf("SQL holds %q once the write is answered, want 9x", got)
	}
}

func TestAnOperatorsEditAndARegistrationDoNotMeet(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO sippeers (name, secret) VALUES ('6001', 'old')`)
	release := o.lock()
	if got := s.ask(t, "/rt/sippeers/update?name=6001", "ipaddr=192.0.2.5&regseconds=1"); got != "1" {
		t.Fatalf("update answers %q", got)
	}
	release()
	o.exec("UPDATE sippeers SET secret = 'new', context = 'in'")
	soon(t, "both are in SQL", func() bool { return o.text("SELECT secret || context || ipaddr FROM sippeers") == "newin192.0.2.5" })
	soon(t, "both are answered", func() bool {
		return s.ask(t, "/rt/sippeers/single", "name=6001") == "id=1&name=6001&ipaddr=192.0.2.5&regseconds=1&context=in&secret=new"
	})
}

func TestEventsOfQueuesArriveOnceAndInOrder(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	o := outside(t, cfg)
	var want []string
	for life := range 3 {
		s := start(t, cfg)
		for i := range 40 {
			event := fmt.Sprintf("%d-%02d", life, i)
			want = append(want, event)
			if got := s.ask(t, "/rt/queue_log/store", "time=2026-01-01%2000%3A00%3A00.000001&callid=1.1&queuename=q&agent=NONE&event="+event+"&data1=a%3Bb&data2=&data6=x"); got != "1" {
				t.Fatalf("store answers %q", got)
			}
		}
		if life == 1 {
			soon(t, "the events of two lives are in SQL", func() bool { return o.text("SELECT count(*) FROM queue_log") == "80" })
		}
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
	}
	if got := o.text("SELECT group_concat(event, ' ') FROM (SELECT event FROM queue_log ORDER BY id)"); got != strings.Join(want, " ") {
		t.Errorf("SQL holds %s", got)
	}
	if got := o.text("SELECT data1 || data2 FROM queue_log"); got != "a^3Bb" {
		t.Errorf("data of an event is %q", got)
	}
}
