package server

import "testing"

func TestLikeFindsTheSameRowsEverywhere(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t,
		`INSERT INTO extensions (context, exten, priority, app, appdata) VALUES
			('in', '_1XX', 1, 'a', ''), ('in', '1', 1, 'b', ''), ('in', '10', 1, 'c', ''), ('in', '100', 1, 'd', ''), ('in', '2', 1, 'e', '')`,
		`INSERT INTO ps_endpoints (id) VALUES ('a_b'), ('aXb'), ('a%b'), ('a\b'), ('a''b'), ('A_B'), ('azb1'), ('a_'), ('ä1'), ('a')`,
		`INSERT INTO ps_contacts (id, expiration_time) VALUES ('a_b^3B@1', 4102444800), ('aXb^3B@1', 4102444800), ('a%b^3B@1', 4102444800), ('a\b^3B@1', 4102444800), ('a_b^3B@2', 4102444800), ('a^3B@1', NULL)`)
	f := func(family, column, pattern, want string) {
		t.Helper()
		got := idsOf(s.ask(t, "/rt/"+family+"/multi", column+"%20LIKE="+pattern), column)
		if got != want {
			t.Errorf("%s of %s LIKE %s: %q, want %q", column, family, pattern, got, want)
		}
	}
	// What pbx_realtime asks.
	f("extensions", "exten", "%5C_%25&priority=1&context=in", "_1XX")
	f("extensions", "exten", "1%25&priority=1&context=in", "1 10 100")
	f("extensions", "exten", "1_%25&priority=1&context=in", "10 100")
	f("extensions", "exten", "1_&priority=1&context=in", "10")
	f("extensions", "exten", "100_%25&priority=1&context=in", "")
	// A wildcard is one, unless it is escaped; letters are compared in their case.
	f("ps_endpoints", "id", "a_b", "a%25b a'b aXb a%5Cb a_b")
	f("ps_endpoints", "id", "a%5C_b", "a_b")
	f("ps_endpoints", "id", "a%5C_%25", "a_ a_b")
	f("ps_endpoints", "id", "a%5C%25b", "a%25b")
	f("ps_endpoints", "id", "a%5C%5Cb", "a%5Cb")
	f("ps_endpoints", "id", "a%5Cb", "") // \b is b
	f("ps_endpoints", "id", "a'%25", "a'b")
	f("ps_endpoints", "id", "%25z%25", "azb1")
	f("ps_endpoints", "id", "%25b", "a%25b a'b aXb a%5Cb a_b")
	f("ps_endpoints", "id", "_1", "%C3%A41") // one character, not one byte
	f("ps_endpoints", "id", "A%25", "A_B")
	f("ps_endpoints", "id", "a", "a")
	f("ps_endpoints", "id", "%25%25&id%20!%3D=a", "A_B a%25b a'b aXb a%5Cb a_ a_b azb1 %C3%A41")
	f("ps_endpoints", "id", "", "")
	// Before ";@%" a contact's AOR is meant as it is: sorcery escapes nothing.
	f("ps_contacts", "id", "a_b%3B%40%25", "a_b%3B%401 a_b%3B%402")
	f("ps_contacts", "id", "a%25b%3B%40%25", "a%25b%3B%401")
	f("ps_contacts", "id", "a%5Cb%3B%40%25", "a%5Cb%3B%401")
	f("ps_contacts", "id", "a%3B%40%25", "a%3B%401")
	f("ps_contacts", "id", "_%3B%40%25", "")
	f("ps_contacts", "id", "a_b%25", "a%25b%3B%401 aXb%3B%401 a%5Cb%3B%401 a_b%3B%401 a_b%3B%402") // another question
}

func TestWritesUseTheSameRulesAsQuestions(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO ps_aors (id, max_contacts) VALUES ('a_b', 9), ('aXb', 10), ('a%b', 2), ('A_B', NULL), ('a''b', 7), ('a\b', 1)`)
	f := func(condition, want string) {
		t.Helper()
		o.exec("UPDATE ps_aors SET voicemail_extension = NULL")
		s.ask(t, "/rt/ps_aors/update?"+condition, "voicemail_extension=*97")
		got := o.text("SELECT coalesce(group_concat(id, ' '), '') FROM (SELECT id FROM ps_aors WHERE voicemail_extension = '*97' ORDER BY id)")
		if got != want {
			t.Errorf("update where %s changes %q, want %q", condition, got, want)
		}
	}
	f("id%20LIKE=a_b", `a%b a'b aXb a\b a_b`)
	f("id%20LIKE=a%5C_b", "a_b")
	f("id%20LIKE=a%5C%5C%25", `a\b`)
	f("id=a_b", "a_b")
	f("id=a%27b", "a'b")
	f("ID=a%5Cb", `a\b`)
	f("max_contacts%20%3E=7", "aXb a_b")
	f("max_contacts=09", "a_b")
	f("max_contacts%20!%3D=", `a%b a'b aXb a\b a_b`)
	f("max_contacts=", "A_B")
	f("id%20NOT%20LIKE=a%25", "A_B")
}
