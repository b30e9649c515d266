package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"asterism/internal/failure"
)

func TestInitTwiceChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	s := initialise(t, path, Options{})
	put(t, s, "ps_aors", "id=6001", "max_contacts=2")
	schema := selected(t, s, "SELECT type, name, sql FROM sqlite_master ORDER BY name")
	log := selected(t, s, "SELECT * FROM asterism_changes")
	version, err := s.SchemaVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again := initialise(t, path, Options{})
	if got := selected(t, again, "SELECT type, name, sql FROM sqlite_master ORDER BY name"); !slices.Equal(got, schema) {
		t.Errorf("the schema changed:\n%q\n%q", got, schema)
	}
	if got, err := again.SchemaVersion(t.Context()); err != nil || got != version {
		t.Errorf("schema version %d, %v; it was %d", got, err, version)
	}
	if got := selected(t, again, "SELECT * FROM asterism_changes"); !slices.Equal(got, log) {
		t.Errorf("the log changed: %q", got)
	}
	expectAll(t, again, "ps_aors", "id=6001 max_contacts=2")
}

func TestOnlyTheOwnerMayReadTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	s, err := Init(t.Context(), "sqlite:"+path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put(t, s, "ps_aors", "id=6001")
	for _, suffix := range []string{"", walSuffix, shmSuffix} {
		stat, err := os.Stat(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if stat.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", path+suffix, stat.Mode().Perm())
		}
	}
}

// rawSQLite opens a file without any of this package's ways.
func rawSQLite(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestOpenRefusesAStoreThatInitHasToMake(t *testing.T) {
	f := func(prepare func(path string), kind failure.Kind, hint string) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "asterism.db")
		prepare(path)
		s, err := Open(t.Context(), "sqlite:"+path, Options{})
		if err == nil {
			t.Fatal("it opened", s.Close())
		}
		if failure.KindOf(err) != kind || !strings.Contains(err.Error(), hint) {
			t.Errorf("%v (%s), want kind %s and %q", err, failure.KindOf(err), kind, hint)
		}
	}
	f(func(string) {}, failure.Outdated, "asterism init")
	f(func(path string) {
		if _, err := rawSQLite(t, path).Exec("CREATE TABLE sippeers (name TEXT)"); err != nil {
			t.Fatal(err)
		}
	}, failure.Outdated, "asterism init")
	f(func(path string) {
		s := initialise(t, path, Options{})
		execute(t, s, "DELETE FROM asterism_schema WHERE version_id = (SELECT max(version_id) FROM asterism_schema)")
	}, failure.Outdated, "asterism init")
}

func TestOpenFindsWhatInitMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	made := initialise(t, path, Options{})
	s, err := Open(t.Context(), "sqlite:"+path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, want := len(s.Families()), len(made.Families()); got != want || got == 0 {
		t.Errorf("%d families, want %d", got, want)
	}
}

func TestOtherEnginesAreNamedInTheError(t *testing.T) {
	_, err := Open(t.Context(), "postgres://localhost/asterism", Options{})
	if failure.KindOf(err) != failure.Invalid || !strings.Contains(err.Error(), "postgres") {
		t.Errorf("%v", err)
	}
}

func TestAnExtraTableMustBeThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	s := initialise(t, path, Options{})
	for name, open := range map[string]func(context.Context, string, Options) (*Store, error){"Open": Open, "Init": Init} {
		if _, err := open(t.Context(), "sqlite:"+path, Options{Extra: []string{"speeddial"}}); failure.KindOf(err) != failure.Unknown || !strings.Contains(err.Error(), "speeddial") {
			t.Errorf("%s: %v", name, err)
		}
	}
	execute(t, s, "CREATE TABLE speeddial (owner TEXT, slot INTEGER, number TEXT, PRIMARY KEY (owner, slot))")
	again := initialise(t, path, Options{Extra: []string{"speeddial"}})
	put(t, again, "speeddial", "owner=6001", "slot=1", "number=100")
	if got := selected(t, again, "SELECT row_key FROM asterism_changes WHERE family = 'speeddial'"); !slices.Equal(got, []string{`["6001","1"]`}) {
		t.Errorf("logged %q", got)
	}
}

// An operator's database, as chan_sip and app_queue had it for years: other
// columns, other types, rows.
const operatorsTables = `
CREATE TABLE sippeers (id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL UNIQUE, host VARCHAR(31), secret VARCHAR(80), department VARCHAR(20));
INSERT INTO sippeers (name, host, secret, department) VALUES ('6001', 'dynamic', 's3cret', 'sales'), ('6002', 'dynamic', 'x^3By', NULL);
CREATE TABLE queue_members (queue_name VARCHAR(80) NOT NULL, interface VARCHAR(80) NOT NULL, penalty INTEGER, uniqueid INTEGER PRIMARY KEY AUTOINCREMENT);
INSERT INTO queue_members (queue_name, interface, penalty) VALUES ('support', 'PJSIP/6001', 1);
CREATE TABLE invoices (number INTEGER PRIMARY KEY, total REAL);
INSERT INTO invoices VALUES (1, 9.5);
CREATE TRIGGER invoices_audit AFTER UPDATE ON invoices BEGIN SELECT 1; END`

func TestInitKeepsWhatADatabaseHas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asterism.db")
	raw := rawSQLite(t, path)
	if _, err := raw.Exec(operatorsTables); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	s := initialise(t, path, Options{})
	expect(t, s, "SELECT * FROM sippeers", "1|6001|dynamic|s3cret|sales", "2|6002|dynamic|x^3By|NULL")
	expect(t, s, "SELECT * FROM queue_members", "support|PJSIP/6001|1|1")
	expect(t, s, "SELECT * FROM invoices", "1|9.5")
	expect(t, s, "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'invoices'", "invoices_audit")
	expectAll(t, s, "sippeers", "id=1 name=6001 host=dynamic secret=s3cret department=sales", "id=2 name=6002 host=dynamic secret=x^3By")
	got := logged(t, s, func() { execute(t, s, "UPDATE sippeers SET department = 'support' WHERE name = '6002'") })
	if want := []string{`sippeers ["6002"]`}; !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
	if _, matched, err := update(t, s, "sippeers", conditionsOf(t, "department = support"), "host=192.0.2.1", "useragent=phone"); matched != 1 || err != nil {
		t.Errorf("%d rows matched, %v", matched, err)
	}
	expectAll(t, s, "sippeers", "id=1 name=6001 host=dynamic secret=s3cret department=sales",
		"id=2 name=6002 host=192.0.2.1 secret=x^3By department=support +useragent=phone")
}
