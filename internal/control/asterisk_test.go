package control

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/feed"
	"asterism/internal/meter"
	"asterism/internal/spool"
	"asterism/internal/store"
)

// waiting bounds each wait of a test.
const waiting = 30 * time.Second

// asterisks is all that Asterisk's writes need, on a store of its own. No follower
// runs.
type asterisks struct {
	*Asterisk
	spool   *spool.Spool
	spooled atomic.Int64 // writes that went through the spool
	outside *sql.DB
	now     atomic.Int64 // epoch seconds
	logged  *counting
}

// watchedSpool counts what goes through a spool.
type watchedSpool struct {
	Spool
	writes *atomic.Int64
}

func (w watchedSpool) Write(ctx context.Context, writes ...directory.Write) error {
	w.writes.Add(1)
	return w.Spool.Write(ctx, writes...)
}

// counting counts log lines.
type counting struct {
	slog.Handler
	lines *atomic.Int64
}

func (c *counting) Handle(ctx context.Context, r slog.Record) error {
	c.lines.Add(1)
	return c.Handler.Handle(ctx, r)
}

func newAsterisks(t *testing.T, statements ...string) *asterisks {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "asterism.db")
	s, err := store.Init(t.Context(), "sqlite:"+path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := &asterisks{logged: &counting{slog.NewTextHandler(t.Output(), nil), new(atomic.Int64)}}
	a.now.Store(1_800_000_000)
	if a.outside, err = sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)&_pragma=synchronous(OFF)"); err != nil {
		t.Fatal(err)
	}
	a.outside.SetMaxOpenConns(1)
	for _, statement := range statements {
		a.exec(t, statement)
	}
	log := slog.New(a.logged)
	d := directory.New(s.Families(), nil)
	follower := feed.New(s, d, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err := follower.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	journal, err := store.OpenJournal(t.Context(), filepath.Join(folder, "spool.db"))
	if err != nil {
		t.Fatal(err)
	}
	a.spool = spool.New(spool.Options{Journal: journal, Store: s, Directory: d, Reader: follower, Log: log, Now: func() time.Time { return time.Unix(a.now.Load(), 0) }})
	a.Asterisk = &Asterisk{
		Directory: d, SQL: s, Feed: follower, Spool: watchedSpool{a.spool, &a.spooled}, Log: log,
		UnknownColumns: meter.NewVector("unknown", "", "family"),
	}
	ctx, cancel := context.WithCancel(context.Background())
	var tasks sync.WaitGroup
	tasks.Go(func() { a.spool.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		tasks.Wait()
		if err := errors.Join(a.outside.Close(), journal.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return a
}

func (a *asterisks) exec(t *testing.T, statement string) {
	t.Helper()
	if _, err := a.outside.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func (a *asterisks) expectSQL(t *testing.T, query, want string) {
	t.Helper()
	var got sql.NullString
	if err := a.outside.QueryRow(query).Scan(&got); err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatalf("%s: %v", query, err)
	}
	if got.String != want {
		t.Errorf("%s: %q, want %q", query, got.String, want)
	}
}

// rows gives what readers see of a family, sorted.
func (a *asterisks) rows(name string) []string {
	out := []string{}
	a.Directory.View().Table([]byte(name)).Each(func(row directory.Row) bool {
		out = append(out, row.Curl())
		return true
	})
	slices.Sort(out)
	return out
}

func (a *asterisks) expect(t *testing.T, name string, want ...string) {
	t.Helper()
	if got := a.rows(name); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}

// wanted reads "column operator value" words.
func wanted(t *testing.T, words ...string) []directory.Condition {
	t.Helper()
	out := make([]directory.Condition, len(words))
	for i, text := range words {
		parts := strings.SplitN(text, " ", 3)
		op, ok := directory.ParseOp([]byte(parts[1]))
		if !ok || len(parts) < 3 {
			t.Fatalf("no condition: %q", text)
		}
		out[i] = directory.Condition{Column: []byte(parts[0]), Op: op, Value: []byte(parts[2])}
	}
	return out
}

// given reads "column=value" pairs, "|" between values.
func given(pairs ...string) []directory.Value {
	var out []directory.Value
	for _, pair := range pairs {
		column, text, _ := strings.Cut(pair, "=")
		v := directory.Value{Column: column}
		if text != "" {
			v.Values = strings.Split(text, "|")
		}
		out = append(out, v)
	}
	return out
}

// answer is the count that Asterisk hears, or the kind of failure.
func answer(n int, err error) string {
	if err != nil {
		return string(failure.KindOf(err))
	}
	return fmt.Sprint(n)
}

func (a *asterisks) update(t *testing.T, name, words string, pairs ...string) string {
	t.Helper()
	return answer(a.Update(t.Context(), name, wanted(t, strings.Split(words, " AND ")...), given(pairs...)))
}

func (a *asterisks) store(t *testing.T, name string, pairs ...string) string {
	t.Helper()
	return answer(a.Store(t.Context(), name, given(pairs...)))
}

func (a *asterisks) destroy(t *testing.T, name, words string) string {
	t.Helper()
	return answer(a.Destroy(t.Context(), name, wanted(t, strings.Split(words, " AND ")...)))
}

func expectAnswer(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("answered %s, want %s", got, want)
	}
}

// TestAStraightWriteIsVisibleToItsWriter without a follower that runs.
func TestAStraightWriteIsVisibleToItsWriter(t *testing.T) {
	a := newAsterisks(t)
	expectAnswer(t, a.store(t, "ps_aors", "id=6001", "max_contacts=1", "contact=sip:a;b|sip:c"), "1")
	a.expect(t, "ps_aors", "id=6001&contact=sip%3Aa%3Bb&contact=sip%3Ac&max_contacts=1")
	expectAnswer(t, a.store(t, "ps_aors", "id=6001", "qualify_frequency=60"), "1")
	a.expect(t, "ps_aors", "id=6001&contact=sip%3Aa%3Bb&contact=sip%3Ac&max_contacts=1&qualify_frequency=60")
	expectAnswer(t, a.update(t, "ps_aors", "id = 6001", "contact=", "qualify_frequency=0060"), "1")
	a.expect(t, "ps_aors", "id=6001&max_contacts=1&qualify_frequency=60")
	expectAnswer(t, a.update(t, "ps_aors", "id = 6001", "id=6002", "novel=x;y"), "1")
	a.expect(t, "ps_aors", "id=6002&max_contacts=1&qualify_frequency=60&novel=x%3By")
	a.expectSQL(t, "SELECT value FROM asterism_extra WHERE row_key = '[\"6002\"]'", "x^3By")
	expectAnswer(t, a.destroy(t, "ps_aors", "id = 6002"), "1")
	a.expect(t, "ps_aors")
	expectAnswer(t, a.store(t, "extensions", "context=in", "exten=1", "priority=01", "app=NoOp", "appdata="), "1")
	a.expect(t, "extensions", "id=1&context=in&exten=1&priority=1&app=NoOp")
	expectAnswer(t, a.store(t, "voicemail", "context=default", "mailbox=1", "password=1"), "1")
	expectAnswer(t, a.store(t, "voicemail", "context=default", "mailbox=1", "password=2"), "1")
	a.expect(t, "voicemail", "uniqueid=1&context=default&mailbox=1&password=1", "uniqueid=2&context=default&mailbox=1&password=2")
}

func TestAnswersCountRowsThatMatch(t *testing.T) {
	a := newAsterisks(t, "INSERT INTO ps_aors (id, max_contacts) VALUES ('a', 1), ('b', 1), ('c', 2)",
		"INSERT INTO queue_members (queue_name, interface) VALUES ('q', 'PJSIP/1'), ('q', 'PJSIP/2')")
	expectAnswer(t, a.update(t, "ps_aors", "max_contacts = 1", "max_contacts=1"), "2")
	expectAnswer(t, a.update(t, "ps_aors", "max_contacts = 3", "max_contacts=4"), "0")
	expectAnswer(t, a.update(t, "ps_aors", "max_contacts >= 1 AND id LIKE %", "qualify_frequency=1"), "3")
	expectAnswer(t, a.update(t, "queue_members", "queue_name = q", "paused=1"), "2")
	expectAnswer(t, a.update(t, "queue_members", "queue_name = q", "paused=1"), "2")
	expectAnswer(t, a.update(t, "queue_members", "queue_name = q AND interface = PJSIP/1", "paused=0"), "1")
	expectAnswer(t, a.update(t, "queue_members", "queue_name = x", "paused=1"), "0")
	expectAnswer(t, a.destroy(t, "ps_aors", "max_contacts = 1"), "2")
	expectAnswer(t, a.destroy(t, "ps_aors", "max_contacts = 1"), "0")
	expectAnswer(t, a.store(t, "queue_log", "event=JOIN"), "1")
}

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	a := newAsterisks(t, "INSERT INTO ps_aors (id) VALUES ('a')", "INSERT INTO ps_contacts (id) VALUES ('c')")
	before, contacts := a.rows("ps_aors"), a.rows("ps_contacts")
	expectAnswer(t, answer(a.Update(t.Context(), "ps_aors", nil, given("max_contacts=1"))), "invalid")
	expectAnswer(t, answer(a.Update(t.Context(), "ps_contacts", nil, given("uri=x"))), "invalid")
	expectAnswer(t, answer(a.Destroy(t.Context(), "ps_aors", nil)), "invalid")
	expectAnswer(t, answer(a.Destroy(t.Context(), "ps_contacts", nil)), "invalid")
	for _, name := range []string{"ps_aors", "ps_contacts"} {
		expectAnswer(t, a.update(t, name, "id LIKE % AND nosuch = 1", "uri=1"), "unknown")
		expectAnswer(t, a.destroy(t, name, "id LIKE % AND nosuch = 1"), "unknown")
	}
	expectAnswer(t, a.update(t, "nosuch", "id = a", "x=1"), "unknown")
	expectAnswer(t, a.destroy(t, "nosuch", "id = a"), "unknown")
	expectAnswer(t, a.store(t, "nosuch", "id=a"), "unknown")
	expectAnswer(t, a.update(t, "queue_log", "event = x", "event=y"), "invalid")
	expectAnswer(t, a.destroy(t, "cdr", "src = x"), "invalid")
	expectAnswer(t, a.store(t, "ps_aors", "max_contacts=1"), "refused") // no id
	expectAnswer(t, a.store(t, "ps_contacts", "uri=x"), "invalid")
	expectAnswer(t, a.store(t, "sippeers", "port=1"), "refused")
	a.expect(t, "ps_aors", before...)
	a.expect(t, "ps_contacts", contacts...)
}

func TestRequireIsLenientUnlessStrict(t *testing.T) {
	a := newAsterisks(t, "INSERT INTO asterism_extra VALUES ('ps_aors', '[\"a\"]', 'novel', '1')", "INSERT INTO ps_aors (id) VALUES ('a')")
	f := func(strict bool, name string, want bool, columns ...string) {
		t.Helper()
		a.Strict = strict
		if got := a.Require(name, columns); got != want {
			t.Errorf("strict %v: require of %q in %s: %v, want %v", strict, columns, name, got, want)
		}
	}
	f(false, "ps_aors", true, "id", "nosuch")
	f(false, "nosuch", false, "id")
	f(true, "ps_aors", true, "id", "max_contacts")
	f(true, "ps_aors", true)
	f(true, "ps_aors", true, "novel") // it is kept beside the table
	f(true, "ps_aors", false, "id", "nosuch")
	f(true, "queue_log", true, "time", "data5")
	f(true, "queue_log", false, "data6")
	f(true, "sippeers", true, "SECRET")
	f(true, "nosuch", false, "id")
}
