package server

import "testing"

// TestRowsThatAsterisksSQLDriversWrote: "^3B" is a semicolon, a raw one stands
// between several values, NULL and the empty text are the same.
func TestRowsThatAsterisksSQLDriversWrote(t *testing.T) {
	t.Parallel()
	s, o := seeded(t,
		`INSERT INTO ps_endpoint_id_ips (id, endpoint, "match", srv_lookups) VALUES ('trunk-a', 'trunk-a', '192.0.2.10;192.0.2.11', NULL)`,
		`INSERT INTO voicemail (context, mailbox, password, callback, dialout) VALUES ('default', '1001', '1', '', NULL)`,
		`INSERT INTO ps_aors (id, contact) VALUES ('6001', 'sip:100@192.0.2.5^3Btransport=tcp')`,
		`INSERT INTO ps_contacts (id, uri, path, expiration_time) VALUES ('6001^3B@c4fa', 'sip:6001@192.0.2.6^3Bob', '<sip:192.0.2.1^3Blr>', 4102444800)`,
		`INSERT INTO ps_endpoints (id, set_var) VALUES ('6001', 'a=1;b=2^3B3;c=^5E')`,
		`INSERT INTO ps_outbound_publishes (id, "@body", "@exten") VALUES ('p', 'a;b', 'c^3Bd')`)
	f := func(target, body, want string) {
		t.Helper()
		if got := s.ask(t, target, body); got != want {
			t.Errorf("%s %s answers %q, want %q", target, body, got, want)
		}
	}
	f("/rt/ps_endpoint_id_ips/multi", "id%20LIKE=%25", "id=trunk-a&endpoint=trunk-a&match=192.0.2.10&match=192.0.2.11\n")
	f("/rt/voicemail/single", "mailbox=1001&context=default", "uniqueid=1&context=default&mailbox=1001&password=1")
	f("/rt/ps_aors/single", "id=6001", "id=6001&contact=sip%3A100%40192.0.2.5%3Btransport%3Dtcp")
	f("/rt/ps_endpoints/single", "id=6001", "id=6001&set_var=a%3D1&set_var=b%3D2%3B3&set_var=c%3D%5E")
	f("/rt/ps_outbound_publishes/single", "id=p", "id=p&%40body=a%3Bb&%40exten=c%5E3Bd")
	const contact = "id=6001%3B%40c4fa&uri=sip%3A6001%40192.0.2.6%3Bob&expiration_time=4102444800&path=%3Csip%3A192.0.2.1%3Blr%3E"
	f("/rt/ps_contacts/single", "id=6001%3B%40c4fa", contact)
	f("/rt/ps_contacts/multi", "id%20LIKE=6001%3B%40%25", contact+"\n")
	f("/rt/ps_contacts/single", "uri=sip%3A6001%40192.0.2.6%3Bob", contact)
	// Written back the same way, so that such a driver reads it.
	f("/rt/ps_contacts/update?id=6001%3B%40c4fa", "uri=sip%3A6001%40192.0.2.7%3Bob%5E", "1")
	soon(t, "the new URI is in SQL as the drivers write it", func() bool {
		return o.text("SELECT uri FROM ps_contacts WHERE id = '6001^3B@c4fa'") == "sip:6001@192.0.2.7^3Bob^5E"
	})
	f("/rt/ps_endpoints/update?id=6001", "set_var=a%3D1&set_var=x%3By", "1")
	f("/rt/ps_outbound_publishes/update?id=p", "%40body=c%3Bd%5E", "1")
	if got, want := o.text(`SELECT set_var || ' ' || "@body" FROM ps_endpoints, ps_outbound_publishes`), "a=1;x^3By c;d^"; got != want {
		t.Errorf("SQL holds %q, want %q", got, want)
	}
	f("/rt/ps_endpoints/update?set_var=a%3D1%3Bx%3By", "context=in", "1") // several values, asked as one text
	f("/rt/ps_contacts/destroy", "id=6001%3B%40c4fa&", "1")
	soon(t, "the contact is gone from SQL", func() bool { return o.text("SELECT count(*) FROM ps_contacts") == "0" })
}

func TestEmptyValuesAreWrittenAsTheDriversDo(t *testing.T) {
	t.Parallel()
	s, o := seeded(t)
	f := func(target, body, want string) {
		t.Helper()
		if got := s.ask(t, target, body); got != want {
			t.Errorf("%s %s answers %q, want %q", target, body, got, want)
		}
	}
	// sorcery writes every option of an object, empty ones too.
	f("/rt/ps_aors/store", "id=6001&contact=&max_contacts=&qualify_timeout=3.000000&remove_existing=", "1")
	f("/rt/ps_aors/single", "id=6001", "id=6001&qualify_timeout=3.0")
	if got := o.text("SELECT typeof(contact) || ' ' || typeof(max_contacts) || ' ' || typeof(remove_existing) FROM ps_aors"); got != "text null null" {
		t.Errorf("empty values are %s in SQL, want a text for text and NULL for what is none", got)
	}
	f("/rt/ps_aors/multi", "contact=", "id=6001&qualify_timeout=3.0\n")
	f("/rt/ps_aors/multi", "max_contacts=", "id=6001&qualify_timeout=3.0\n")
	f("/rt/ps_aors/multi", "qualify_timeout=3", "id=6001&qualify_timeout=3.0\n")
	f("/rt/ps_aors/update?qualify_timeout=3.000", "max_contacts=2", "1")
	f("/rt/ps_aors/update?id=6001", "max_contacts=", "1")
	f("/rt/ps_aors/single", "id=6001", "id=6001&qualify_timeout=3.0")
	// The database numbers what it is to number.
	f("/rt/queue_members/store", "queue_name=support&interface=PJSIP%2F1&uniqueid=&penalty=", "1")
	f("/rt/queue_members/single", "queue_name=support", "queue_name=support&interface=PJSIP%2F1&uniqueid=1")
}
