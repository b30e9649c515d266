package server

import (
	"strings"
	"testing"
)

func TestColumnsAnswerInOneOrder(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	s := start(t, cfg)
	f := func(target, body, want string) {
		t.Helper()
		if got := s.ask(t, target, body); got != want {
			t.Errorf("%s %s answers %q, want %q", target, body, got, want)
		}
	}
	f("/rt/ps_endpoints/store", "permit=192.0.2.0%2F24&allow=ulaw%2Calaw&deny=0.0.0.0%2F0&disallow=all&id=6001", "1")
	f("/rt/sippeers/store", "allow=ulaw&permit=192.0.2.0%2F24&name=6001&deny=0.0.0.0%2F0&disallow=all", "1")
	const endpoint = "id=6001&disallow=all&allow=ulaw%2Calaw&deny=0.0.0.0%2F0&permit=192.0.2.0%2F24"
	const peer = "id=1&name=6001&deny=0.0.0.0%2F0&permit=192.0.2.0%2F24&disallow=all&allow=ulaw"
	same := func() {
		t.Helper()
		for range 100 {
			f("/rt/ps_endpoints/single", "id=6001", endpoint)
			f("/rt/sippeers/single", "name=6001", peer)
		}
	}
	same()
	// Columns that an update writes last, and a restart, change nothing.
	f("/rt/ps_endpoints/update?id=6001", "disallow=x&deny=x", "1")
	f("/rt/ps_endpoints/update?id=6001", "deny=0.0.0.0%2F0&disallow=all", "1")
	f("/rt/ps_endpoints/update?id=6001", "allow=ulaw%2Calaw", "1")
	f("/rt/sippeers/update?name=6001", "disallow=all", "1")
	f("/rt/sippeers/update?name=6001", "regseconds=", "1") // through the spool
	same()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	s = start(t, cfg)
	same()
}

func TestRowsAnswerInTheOrderOfTheFirstCondition(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t,
		`INSERT INTO followme_numbers (name, ordinal, phonenumber) VALUES ('boss', 10, 'c'), ('boss', 9, 'b'), ('boss', 1, 'a'), ('other', 2, 'x')`,
		`INSERT INTO ps_endpoints (id, context) VALUES ('b', 'in'), ('a', 'in'), ('Z', 'in'), ('10', 'out'), ('9', 'in')`,
		`INSERT INTO ps_aors (id, max_contacts) VALUES ('b', 10), ('a', 9), ('c', 9), ('d', NULL)`)
	f := func(family, conditions, column, want string) {
		t.Helper()
		if got := idsOf(s.ask(t, "/rt/"+family+"/multi", conditions), column); got != want {
			t.Errorf("%s of %s with %s: %q, want %q", column, family, conditions, got, want)
		}
	}
	f("followme_numbers", "ordinal%20LIKE=%25&name=boss", "ordinal", "1 9 10")
	f("ps_endpoints", "id%20LIKE=%25", "id", "b a Z 9 10") // descending: see the listing policy
	f("ps_endpoints", "context=in", "id", "9 Z a b")
	f("ps_endpoints", "context%20LIKE=%25&id%20!%3D=Z", "id", "9 a b 10")
	f("ps_endpoints", "id%20%3E=9", "id", "Z a b")
	f("ps_aors", "max_contacts%20%3E=0", "id", "a c b")
	f("ps_aors", "max_contacts%20%3E=0&id%20!%3D=a", "id", "c b")
}

func TestWhichRowsAFullListingAnswers(t *testing.T) {
	t.Parallel()
	f := func(policy, want string) {
		t.Helper()
		cfg := testConfig(t)
		cfg.Families.Listing = map[string]string{"ps_endpoints": policy, "ps_aors": policy}
		o := outside(t, cfg)
		o.exec(`INSERT INTO ps_endpoints (id, aors) VALUES ('6001', '6001'), ('6002', '6002')`)
		o.exec(`INSERT INTO ps_aors (id) VALUES ('6001'), ('6002')`)
		o.exec(`INSERT INTO ps_contacts (id, endpoint, expiration_time) VALUES ('6002^3B@c4fa', '6002', 4102444800)`)
		s := start(t, cfg)
		for _, family := range []string{"ps_endpoints", "ps_aors"} {
			if got := idsOf(s.ask(t, "/rt/"+family+"/multi", "id%20LIKE=%25"), "id"); got != want {
				t.Errorf("policy %s lists %q of %s, want %q", policy, got, family, want)
			}
			if got := s.ask(t, "/rt/"+family+"/single", "id=6001"); !strings.HasPrefix(got, "id=6001") {
				t.Errorf("policy %s: %s 6001 itself answers %q", policy, family, got)
			}
		}
	}
	f("all", "6002 6001")
	f("active", "6002")
	f("none", "")
}
