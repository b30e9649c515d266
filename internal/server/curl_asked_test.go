package server

import (
	"net"
	"testing"
)

// TestAListingIsNarrowedToWhatTheConnectionAsked asks in Asterisk's order over one
// connection each, plain and with TLS, with listings that are quick and slow.
func TestAListingIsNarrowedToWhatTheConnectionAsked(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t, "a")
	for _, layer := range []string{"plain", "TLS"} {
		cfg := testConfig(t)
		cfg.Families.Listing = map[string]string{"ps_endpoints": "asked", "ps_aors": "active"}
		if layer == "TLS" {
			withTLS(t, &cfg, authority, nil)
		}
		o := outside(t, cfg)
		const numbers = `WITH RECURSIVE n(i) AS (SELECT 6000 UNION ALL SELECT i + 1 FROM n WHERE i < 6199)`
		o.exec(`INSERT INTO ps_endpoints (id, aors) ` + numbers + ` SELECT i, i FROM n`)
		o.exec(`INSERT INTO ps_aors (id) ` + numbers + ` SELECT i FROM n`)
		o.exec(`INSERT INTO ps_contacts (id, expiration_time) VALUES ('6002^3B@c4fa', 4102444800), ('6005^3B@c4fa', 4102444800)`)
		s := start(t, cfg)
		open := func() net.Conn {
			if layer == "plain" {
				return s.connect(t)
			}
			connection, err := s.dial(t, authority.believing(t))
			if err != nil {
				t.Fatal(err)
			}
			return connection
		}
		ask := func(connection net.Conn, what, conditions, want string) {
			t.Helper()
			send(t, connection, asAsterisk("/rt/"+what, conditions))
			if got := idsOf(receiveAnswer(t, connection).body, "id"); got != want {
				t.Errorf("%s: %s with %s: %q, want %q", layer, what, conditions, got, want)
			}
		}
		const all = "id%20LIKE=%25"
		starting, registering := open(), open()
		ask(starting, "ps_aors/multi", all, "6005 6002")
		ask(starting, "ps_contacts/multi", "id%20LIKE=6005%3B%40%25", "6005%3B%40c4fa")
		ask(registering, "ps_aors/single", "id=6002", "6002")
		ask(starting, "ps_contacts/multi", "id%20LIKE=6002%3B%40%25", "6002%3B%40c4fa")
		ask(registering, "ps_contacts/multi", "id%20LIKE=6002%3B%40%25", "6002%3B%40c4fa")
		ask(registering, "ps_endpoints/multi", all, "6002")
		ask(starting, "ps_endpoints/multi", all, "6005 6002")
		ask(registering, "ps_endpoints/multi", all, "6005 6002")
		ask(open(), "ps_endpoints/multi", all, "6005 6002")
		if got := s.metric(t, `asterism_scans_total{family="ps_endpoints"}`); got != 0 {
			t.Errorf("%s: %v listings count as scans", layer, got)
		}
	}
}
