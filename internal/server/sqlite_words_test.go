package server

import "testing"

// TestColumnsNamedLikeWordsOfSQL: 100rel begins with a digit, order, match and
// from are keywords.
func TestColumnsNamedLikeWordsOfSQL(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	cfg.Families.Extra = []string{"select"}
	o := outside(t, cfg)
	o.exec(`CREATE TABLE "select" ("order" INTEGER PRIMARY KEY, "from" TEXT, "match" TEXT, "group by" TEXT, "a""b" TEXT, "event_asterisk-mwi" TEXT)`)
	o.exec(`INSERT INTO "select" ("order", "from") VALUES (10, 'x'), (9, 'y')`)
	o.exec(`INSERT INTO ps_endpoints (id) VALUES ('6001')`)
	s := start(t, cfg)
	f := func(target, body, want string) {
		t.Helper()
		if got := s.ask(t, target, body); got != want {
			t.Errorf("%s %s answers %q, want %q", target, body, got, want)
		}
	}
	f("/rt/ps_endpoints/update?id=6001", "100rel=required", "1")
	f("/rt/ps_endpoints/single", "id=6001", "id=6001&100rel=required")
	f("/rt/ps_endpoints/single", "100rel=required", "id=6001&100rel=required")
	f("/rt/ps_endpoints/update?100rel=required", "100rel=no", "1")
	f("/rt/select/multi", "order%20%3E%3D=0", "order=9&from=y\norder=10&from=x\n")
	f("/rt/select/update?from=x", "match=a&group%20by=b&a%22b=c&event_asterisk-mwi=d", "1")
	f("/rt/select/single", "match=a", "order=10&from=x&match=a&group%20by=b&a%22b=c&event_asterisk-mwi=d")
	f("/rt/select/store", "order=11&from=z&match=%27%22%60%3B--", "1")
	f("/rt/select/single", "order=11", "order=11&from=z&match='%22%60%3B--")
	f("/rt/select/destroy", "from=y&order=9", "1")
	if got := o.text(`SELECT group_concat("order" || "from") FROM "select"`); got != "10x,11z" {
		t.Errorf("SQL holds %s", got)
	}
	o.exec(`UPDATE "select" SET "order" = 12 WHERE "order" = 11`)
	soon(t, "a changed key is answered", func() bool {
		return s.ask(t, "/rt/select/single", "order=11") == "" && s.ask(t, "/rt/select/single", "order=12") != ""
	})
}

// TestBooleansAreWhatAsteriskWrites: whatever it writes comes back.
func TestBooleansAreWhatAsteriskWrites(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO ps_endpoints (id) VALUES ('6001')`)
	for _, text := range []string{"yes", "no", "1", "0", "true", "false", "on", "off", "maybe"} {
		if got := s.ask(t, "/rt/ps_endpoints/update?id=6001", "force_rport="+text); got != "1" {
			t.Errorf("update to %s answers %q", text, got)
		}
		if got := s.ask(t, "/rt/ps_endpoints/single", "id=6001"); got != "id=6001&force_rport="+text {
			t.Errorf("after %s: %q", text, got)
		}
		if got := o.text("SELECT force_rport FROM ps_endpoints"); got != text {
			t.Errorf("SQL holds %q, want %q", got, text)
		}
	}
}
