package feed

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"asterism/internal/directory"
)

func (r *followed) scrub(t *testing.T) int {
	t.Helper()
	mended, err := r.feed.Scrub(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return mended
}

// TestAScrubMendsWhatNoTriggerSees: SQLite tells no trigger of the rows that
// REPLACE removes, unless recursive_triggers is on.
func TestAScrubMendsWhatNoTriggerSees(t *testing.T) {
	r := follow(t, somePhones)
	f := func(want int, statements ...string) {
		t.Helper()
		before := r.feed.State().Mended
		r.exec(t, statements...)
		r.catchUp(t)
		if (want > 0) != (len(r.differing(t)) > 0) {
			t.Errorf("%q: memory differs in %q before the scrub", statements, r.differing(t))
		}
		if got := r.scrub(t); got != want || r.feed.State().Mended-before != uint64(want) {
			t.Errorf("%q: %d rows mended, %d counted, want %d", statements, got, r.feed.State().Mended-before, want)
		}
		r.equal(t)
		if got := r.scrub(t); got != 0 {
			t.Errorf("%q: a second scrub mends %d rows", statements, got)
		}
	}
	f(0)
	f(1, "PRAGMA recursive_triggers = off", "REPLACE INTO queue_members (uniqueid, queue_name, interface) VALUES (1, 'sales', 'PJSIP/1')")
	f(1, "UPDATE OR REPLACE queue_members SET uniqueid = 2 WHERE uniqueid = 1")
	f(0, "PRAGMA recursive_triggers = on", "REPLACE INTO queue_members (uniqueid, queue_name, interface) VALUES (2, 'support', 'PJSIP/3')")
	f(0, "UPDATE ps_aors SET max_contacts = 12")
}

// TestAScrubDoesNotCountNews: what others change while it compares, and what is
// not flushed yet, is no difference.
func TestAScrubDoesNotCountNews(t *testing.T) {
	r := follow(t, somePhones, series("ps_aors", 1, 500))
	r.directory.Lay([]directory.Write{
		{ID: 1, Family: "sippeers", Key: []string{"100"}, Kind: directory.Change, Values: []directory.Value{{Column: "port", Values: []string{"5060"}}}},
		{ID: 2, Family: "ps_contacts", Key: []string{"6001;@x"}, Kind: directory.Put, Values: []directory.Value{{Column: "id", Values: []string{"6001;@x"}}}},
		{ID: 3, Family: "ps_aors", Key: []string{"b"}, Kind: directory.Delete},
	})
	stop := make(chan struct{})
	var writer sync.WaitGroup
	var failed error
	writer.Go(func() {
		pace := time.NewTicker(time.Millisecond)
		defer pace.Stop()
		for i := 0; failed == nil; i++ {
			select {
			case <-stop:
				return
			case <-pace.C:
			}
			failed = r.try(fmt.Sprintf("UPDATE ps_aors SET max_contacts = %d WHERE id = '%06d'", i, i%500+1),
				fmt.Sprintf("INSERT INTO queues (name) VALUES ('%d')", i), fmt.Sprintf("DELETE FROM queues WHERE name = '%d'", i-2))
		}
	})
	for range 3 {
		if mended := r.scrub(t); mended != 0 {
			t.Errorf("%d rows count as mended", mended)
		}
	}
	close(stop)
	writer.Wait()
	if failed != nil {
		t.Fatal(failed)
	}
	for _, row := range r.rows("ps_aors") {
		if row == "id=b&qualify_timeout=0.5&other=1" {
			t.Error("a scrub brought back what is deleted and not flushed yet")
		}
	}
	r.expect(t, "ps_contacts", "id=6001%3B%40x")
}

// TestNoReadGoesBackInTime: each writer sees its own write after Reread, and no
// reader sees a value after a newer one, while whole families are read beside.
func TestNoReadGoesBackInTime(t *testing.T) {
	r := follow(t, series("ps_aors", 1, 100))
	r.run(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	value := func(id string) int {
		row, _ := r.directory.View().Table([]byte("ps_aors")).First(directory.Query{Conditions: []directory.Condition{{Column: []byte("id"), Value: []byte(id)}}})
		at, _ := r.directory.View().Table([]byte("ps_aors")).Columns().Position("max_contacts")
		n, _ := strconv.Atoi(row.Text(at))
		return n
	}
	var tasks sync.WaitGroup
	var mu sync.Mutex
	var failed error
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failed = errors.Join(failed, err)
		cancel()
	}
	beside := func(step func() error) {
		tasks.Go(func() {
			pace := time.NewTicker(100 * time.Microsecond) // one core must be enough
			defer pace.Stop()
			for ctx.Err() == nil {
				if err := step(); err != nil && ctx.Err() == nil {
					fail(err)
				}
				<-pace.C
			}
		})
	}
	beside(func() error { _, err := r.feed.Scrub(ctx); return err })
	for range 2 { // others that read the same key again
		beside(func() error { return r.feed.Reread(ctx, "ps_aors", [][]string{{"000007"}}) })
	}
	seen := 0
	beside(func() error {
		former := seen
		if seen = value("000007"); seen < former {
			return fmt.Errorf("a reader saw %d after %d", seen, former)
		}
		return nil
	})
	for n := 1; n <= 200 && ctx.Err() == nil; n++ {
		err := errors.Join(r.try(fmt.Sprintf("UPDATE ps_aors SET max_contacts = %d WHERE id = '000007'", n)), r.feed.Reread(t.Context(), "ps_aors", [][]string{{"000007"}}))
		if err != nil {
			fail(err)
		}
		if got := value("000007"); got != n {
			fail(fmt.Errorf("after write %d its writer reads %d", n, got))
		}
	}
	cancel()
	tasks.Wait()
	if failed != nil {
		t.Fatal(failed)
	}
	r.wait(t)
	r.equal(t)
}
