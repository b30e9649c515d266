package server

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

func TestExpiredContactsAreForAsterisksOwnExpiryOnly(t *testing.T) {
	t.Parallel()
	now := time.Now().Unix()
	s, o := seeded(t, fmt.Sprintf(`INSERT INTO ps_contacts (id, endpoint, expiration_time) VALUES
		('6001^3B@old', '6001', %d), ('6001^3B@new', '6001', %d), ('6002^3B@old', '6002', %d), ('6003^3B@never', '6003', NULL), ('6004^3B@zero', '6004', 0)`,
		now-60, now+3600, now-30))
	f := func(verb, conditions, want string) {
		t.Helper()
		if got := idsOf(s.ask(t, "/rt/ps_contacts/"+verb, conditions), "id"); got != want {
			t.Errorf("%s %s finds %q, want %q", verb, conditions, got, want)
		}
	}
	at := strconv.FormatInt(now, 10)
	f("single", "id=6001%3B%40old", "")
	f("single", "id=6001%3B%40new", "6001%3B%40new")
	f("single", "endpoint=6001", "6001%3B%40new")
	f("multi", "id%20LIKE=6001%3B%40%25", "6001%3B%40new")
	f("multi", "id%20LIKE=6002%3B%40%25", "")
	f("multi", "endpoint=6002", "")
	f("multi", "id%20LIKE=%25", "6004%3B%40zero 6003%3B%40never 6001%3B%40new")
	f("multi", "expiration_time%20%3C="+at, "6004%3B%40zero")
	f("multi", "expiration_time%20%3C%3D="+at, "6004%3B%40zero 6001%3B%40old 6002%3B%40old")
	// A phone that registers again in the moment of its expiry keeps its contact.
	later := strconv.FormatInt(now+3600, 10)
	if got := s.ask(t, "/rt/ps_contacts/update?id=6002%3B%40old", "expiration_time="+later); got != "1" {
		t.Errorf("update of an expired contact answers %q, want 1", got)
	}
	f("single", "id=6002%3B%40old", "6002%3B%40old")
	if got := s.ask(t, "/rt/ps_contacts/destroy", "id=6001%3B%40old&"); got != "1" {
		t.Errorf("destroy of an expired contact answers %q, want 1", got)
	}
	f("multi", "expiration_time%20%3C%3D="+at, "6004%3B%40zero")
	soon(t, "the destroyed contact is gone from SQL", func() bool {
		return o.text("SELECT count(*) FROM ps_contacts WHERE id = '6001^3B@old'") == "0"
	})
}

// TestEachAsteriskMayExpireTheSameContact: every Asterisk node finds it by its
// own poll, and one that hears 0 keeps a stale status of the phone.
func TestEachAsteriskMayExpireTheSameContact(t *testing.T) {
	t.Parallel()
	now := time.Now().Unix()
	s, _ := seeded(t, fmt.Sprintf(`INSERT INTO ps_contacts (id, expiration_time) VALUES ('6001^3B@old', %d), ('6001^3B@new', %d)`, now-60, now+3600))
	f := func(id, want string) {
		t.Helper()
		if got := s.ask(t, "/rt/ps_contacts/destroy", "id="+id+"&"); got != want {
			t.Errorf("destroy of %s answers %q, want %q", id, got, want)
		}
	}
	f("6001%3B%40old", "1")
	f("6001%3B%40old", "1")
	f("6001%3B%40old", "1")
	f("6001%3B%40new", "1")
	f("6001%3B%40new", "0")
	f("6001%3B%40none", "0")
}
