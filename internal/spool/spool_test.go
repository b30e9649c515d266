package spool

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"asterism/internal/directory"
	"asterism/internal/feed"
	"asterism/internal/store"
)

// patience bounds each wait of a test.
const patience = 30 * time.Second

// epoch is when the tests begin, in their own time.
const epoch = 1_800_000_000

// empty gives the bytes of an empty store's file, made once: under the race
// detector a migration takes a second.
var empty = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "asterism")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, storeName)
	s, err := store.Init(context.Background(), "sqlite:"+path, store.Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

const (
	storeName = "asterism.db"
	spoolName = "spool.db"
)

// node is a spool with all that it works with. Nothing is flushed or swept but
// by the test, unless it calls run.
type node struct {
	folder    string
	store     *store.Store
	directory *directory.Directory
	feed      *feed.Feed
	journal   *store.Journal
	spool     *Spool
	now       *atomic.Int64 // epoch seconds
	reader    *watchedReader
	outside   *sql.DB

	stop func()
}

// watchedReader lets a test act, or fail, where rows are read back.
type watchedReader struct {
	Reader
	before func() error
}

func (w *watchedReader) Reread(ctx context.Context, name string, keys [][]string) error {
	if w.before != nil {
		if err := w.before(); err != nil {
			return err
		}
	}
	return w.Reader.Reread(ctx, name, keys)
}

// start makes a node with a fresh store in which the statements were run.
func start(t *testing.T, statements ...string) *node {
	t.Helper()
	folder := t.TempDir()
	file, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, storeName), file, 0o600); err != nil {
		t.Fatal(err)
	}
	outside := connectOutside(t, folder)
	for _, statement := range statements {
		if _, err := outside.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := outside.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, folder)
}

func connectOutside(t testing.TB, folder string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, storeName)+"?_pragma=busy_timeout(10000)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// open starts a node on what a folder holds.
func open(t testing.TB, folder string) *node {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	n := &node{folder: folder, now: new(atomic.Int64)}
	n.now.Store(epoch)
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	var err error
	if n.store, err = store.Open(ctx, "sqlite:"+filepath.Join(folder, storeName), store.Options{}); err != nil {
		t.Fatal(err)
	}
	n.directory = directory.New(n.store.Families(), nil)
	n.feed = feed.New(n.store, n.directory, log)
	if err := n.feed.Load(ctx); err != nil {
		t.Fatal(err)
	}
	if n.journal, err = store.OpenJournal(ctx, filepath.Join(folder, spoolName)); err != nil {
		t.Fatal(err)
	}
	n.reader = &watchedReader{Reader: n.feed}
	n.outside = connectOutside(t, folder)
	n.spool = New(Options{
		Journal: n.journal, Store: n.store, Directory: n.directory, Reader: n.reader, Log: log,
		Now: func() time.Time { return time.Unix(n.now.Load(), 0) },
	})
	if err := n.spool.Recover(ctx); err != nil {
		t.Fatal(err)
	}
	var tasks sync.WaitGroup
	tasks.Go(func() { n.spool.commitLoop(ctx) })
	stopped := false
	n.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		tasks.Wait()
		if err := errors.Join(n.outside.Close(), n.journal.Close(), n.store.Close()); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(n.stop)
	return n
}

// crash gives a node that starts on what the disk holds at this moment.
func (n *node) crash(t testing.TB) *node {
	t.Helper()
	folder := t.TempDir()
	copyDatabase(t, n.folder, folder, storeName)
	copyDatabase(t, n.folder, folder, spoolName)
	return open(t, folder)
}

// copyDatabase copies a database that nobody writes at this moment.
func copyDatabase(t testing.TB, from, to, name string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(filepath.Join(from, name+suffix))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name+suffix), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// run flushes and sweeps until the test's end.
func (n *node) run(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var tasks sync.WaitGroup
	tasks.Go(func() { n.spool.flushLoop(ctx) })
	tasks.Go(func() { n.spool.sweepLoop(ctx) })
	t.Cleanup(func() {
		cancel()
		tasks.Wait()
	})
}

// write makes a write of Asterisk: "column=value" pairs, "|" between values.
func write(kind directory.WriteKind, family, key string, pairs ...string) directory.Write {
	w := directory.Write{Family: family, Kind: kind}
	if kind != directory.Append {
		w.Key = strings.Split(key, ",")
	}
	for _, pair := range pairs {
		column, text, _ := strings.Cut(pair, "=")
		v := directory.Value{Column: column}
		if text != "" {
			v.Values = strings.Split(text, "|")
		}
		w.Values = append(w.Values, v)
	}
	return w
}

func contact(id string, pairs ...string) directory.Write {
	return write(directory.Put, "ps_contacts", id, append([]string{"id=" + id}, pairs...)...)
}

func event(name string) directory.Write {
	return write(directory.Append, "queue_log", "", "event="+name)
}

func (n *node) write(t testing.TB, writes ...directory.Write) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := n.spool.Write(ctx, writes...); err != nil {
		t.Fatal(err)
	}
}

func (n *node) drain(t testing.TB) {
	t.Helper()
	if err := n.spool.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func (n *node) exec(t testing.TB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := n.outside.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// inSQL gives the first column of a query, joined by ",".
func (n *node) inSQL(t testing.TB, query string) string {
	t.Helper()
	rows, err := n.outside.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var text sql.NullString
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		out = append(out, text.String)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, ",")
}

func (n *node) expectSQL(t testing.TB, query, want string) {
	t.Helper()
	if got := n.inSQL(t, query); got != want {
		t.Errorf("%s: %q, want %q", query, got, want)
	}
}

// rows gives the rows of a family in memory, expired ones too, sorted.
func (n *node) rows(name string) []string {
	out := []string{}
	n.directory.View().Table([]byte(name)).Each(func(row directory.Row) bool {
		out = append(out, row.Curl())
		return true
	})
	slices.Sort(out)
	return out
}

func (n *node) expect(t testing.TB, name string, want ...string) {
	t.Helper()
	if got := n.rows(name); !slices.Equal(got, append([]string{}, want...)) {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}

func (n *node) expectState(t testing.TB, want State) {
	t.Helper()
	if got := n.spool.State(); got != want {
		t.Errorf("state %+v, want %+v", got, want)
	}
}

// soon waits until a condition holds.
func soon(t testing.TB, what string, holds func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

func TestAWriteIsVisibleAndDurableWhenItIsAnswered(t *testing.T) {
	n := start(t, "INSERT INTO sippeers (name, secret) VALUES ('100', 's')")
	n.write(t, contact("6001;@x", "uri=sip:6001@203.0.113.7", "path=a|b;c"), write(directory.Change, "sippeers", "100", "port=5060"), event("JOIN"))
	n.expect(t, "ps_contacts", "id=6001%3B%40x&uri=sip%3A6001%40203.0.113.7&path=a&path=b%3Bc")
	n.expect(t, "sippeers", "id=1&name=100&port=5060&secret=s")
	n.expectState(t, State{Entries: 3})
	n.expectSQL(t, "SELECT count(*) FROM ps_contacts", "0")
	entries, err := n.journal.Entries(t.Context(), 0)
	if err != nil || len(entries) != 3 {
		t.Errorf("the journal holds %v, %v", entries, err)
	}
	n.drain(t)
	n.expectState(t, State{})
	n.expectSQL(t, "SELECT id || ' ' || uri || ' ' || path FROM ps_contacts", "6001^3B@x sip:6001@203.0.113.7 a;b^3Bc")
	n.expectSQL(t, "SELECT name || port || secret FROM sippeers", "1005060s")
	n.expectSQL(t, "SELECT event FROM queue_log", "JOIN")
	n.expect(t, "ps_contacts", "id=6001%3B%40x&uri=sip%3A6001%40203.0.113.7&path=a&path=b%3Bc")
	if entries, err := n.journal.Entries(t.Context(), 0); err != nil || len(entries) != 0 {
		t.Errorf("the journal still holds %v, %v", entries, err)
	}
}

func TestManyWritersShareTheJournal(t *testing.T) {
	n := start(t)
	n.run(t)
	const writers, writes = 20, 15
	var tasks sync.WaitGroup
	failed := make([]error, writers)
	for i := range writers {
		tasks.Go(func() {
			id := fmt.Sprintf("%02d", i)
			for j := range writes {
				failed[i] = errors.Join(failed[i], n.spool.Write(t.Context(), contact(id, fmt.Sprintf("uri=%d", j)), event(id)))
				row, result := n.directory.View().Table([]byte("ps_contacts")).First(directory.Query{Conditions: []directory.Condition{{Column: []byte("id"), Value: []byte(id)}}})
				if want := fmt.Sprintf("id=%s&uri=%d", id, j); result.Rows != 1 || row.Curl() != want {
					failed[i] = errors.Join(failed[i], fmt.Errorf("after its write %q, want %q", row.Curl(), want))
				}
			}
		})
	}
	tasks.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	soon(t, "everything is flushed", func() bool { return n.spool.State().Entries == 0 })
	n.expectSQL(t, "SELECT count(*) || ' ' || min(uri) || ' ' || max(uri) FROM ps_contacts", fmt.Sprintf("%d %d %d", writers, writes-1, writes-1))
	n.expectSQL(t, "SELECT count(*) FROM queue_log", fmt.Sprint(writers*writes))
	if n.directory.Overlaid() != 0 {
		t.Errorf("%d overlays are left", n.directory.Overlaid())
	}
}
