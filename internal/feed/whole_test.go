package feed

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"asterism/internal/store"
)

// series inserts as many AORs, in one transaction.
func series(table string, from, to int) string {
	return fmt.Sprintf("INSERT INTO %s (id) WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT printf('%%06d', i) FROM n", table, from, to)
}

func TestABulkOfChangesIsReadAsAWhole(t *testing.T) {
	r := follow(t, somePhones)
	before := r.directory.View().Revision()
	r.exec(t, series("ps_aors", 1, 30_000), "INSERT INTO queues (name) VALUES ('during')")
	r.catchUp(t)
	// Key by key it would be 600 publications.
	if publications := r.directory.View().Revision() - before; publications > 10 {
		t.Errorf("%d publications", publications)
	}
	r.exec(t, "UPDATE ps_aors SET max_contacts = 3 WHERE id < '000100'", "DELETE FROM queues")
	r.catchUp(t)
	r.equal(t)
	if mended := r.feed.State().Mended; mended != 0 {
		t.Errorf("%d rows count as mended", mended)
	}
}

func TestFewChangesInManyFamiliesAreReadByKey(t *testing.T) {
	r := follow(t)
	r.feed.bulk = 300
	before := r.directory.View().Revision()
	r.exec(t, series("ps_aors", 1, 300), series("ps_auths", 1, 300))
	r.catchUp(t)
	r.equal(t)
	if publications := r.directory.View().Revision() - before; publications < 600/bucketsAtOne {
		t.Errorf("%d publications: contact writes could not go between them", publications)
	}
}

// TestWhatComesDuringABulkIsNotLost: the entries that a read of the whole family
// makes moot end at its moment, not at its end.
func TestWhatComesDuringABulkIsNotLost(t *testing.T) {
	r := follow(t, series("ps_aors", 1, 400))
	r.feed.bulk = 300
	r.run(t)
	var writer sync.WaitGroup
	var failed error
	writer.Go(func() {
		for i := range 5 {
			bulk := []string{fmt.Sprintf("UPDATE ps_aors SET max_contacts = %d", i), series("ps_aors", 1_000+i*500, 1_499+i*500)}
			for j := range 20 {
				bulk = append(bulk, fmt.Sprintf("UPDATE ps_aors SET qualify_frequency = %d WHERE id = '%06d'", j, j))
			}
			failed = errors.Join(failed, r.try(append(bulk, "DELETE FROM ps_aors WHERE id % 7 = 0")...))
		}
	})
	writer.Wait()
	if failed != nil {
		t.Fatal(failed)
	}
	r.wait(t)
	r.equal(t)
}

// TestEntriesAreMootUpToTheMomentOfAWholeRead: what comes between a family's read
// and its publication is read by its key, whoever came first.
func TestEntriesAreMootUpToTheMomentOfAWholeRead(t *testing.T) {
	r := follow(t, somePhones)
	before, err := r.feed.position(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fam, _ := r.feed.followed("ps_aors")
	change := func(context.Context) error { return r.try("UPDATE ps_aors SET max_contacts = 9 WHERE id = 'a'") }
	read, err := r.feed.readFamily(t.Context(), fam, change)
	if err != nil || read.upTo != before {
		t.Errorf("entries up to %d are moot, want %d (%v)", read.upTo, before, err)
	}
	r.catchUp(t)
	r.equal(t)
	followed := func(ctx context.Context) error {
		if err := r.try("UPDATE ps_aors SET max_contacts = 10 WHERE id = 'a'"); err != nil {
			return err
		}
		return r.feed.CatchUp(ctx)
	}
	if _, err := r.feed.readFamily(t.Context(), fam, followed); err != nil {
		t.Fatal(err)
	}
	r.equal(t) // nothing is pending that could mend it
}

// TestAStartMissesNothing: the position is taken before the first table is read.
func TestAStartMissesNothing(t *testing.T) {
	for range 3 {
		r := unloaded(t, store.Options{}, somePhones, series("ps_aors", 1, 1_000))
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
				failed = r.try(fmt.Sprintf("UPDATE ps_aors SET max_contacts = %d WHERE id = '%06d'", i, i%50),
					fmt.Sprintf("INSERT INTO queues (name) VALUES ('%d')", i), fmt.Sprintf("DELETE FROM queues WHERE name = '%d'", i-3))
			}
		})
		err := r.feed.Load(t.Context())
		close(stop)
		writer.Wait()
		if err = errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		r.catchUp(t)
		r.equal(t)
	}
}

func TestALogThatCannotBeContinuedMakesItReload(t *testing.T) {
	f := func(what string, statements ...string) {
		t.Helper()
		r := follow(t, somePhones)
		for range 5 {
			r.exec(t, "UPDATE ps_aors SET max_contacts = coalesce(max_contacts, 0) + 1")
		}
		r.catchUp(t)
		r.exec(t, statements...)
		r.catchUp(t)
		if differing := r.differing(t); len(differing) > 0 {
			t.Errorf("%s: memory differs: %q", what, differing)
		}
		r.exec(t, "UPDATE ps_aors SET max_contacts = 100")
		r.catchUp(t)
		if differing := r.differing(t); len(differing) > 0 {
			t.Errorf("%s: the next change: memory differs: %q", what, differing)
		}
		r.expect(t, "ps_aors", "id=a&max_contacts=100&qualify_timeout=3.0&novel=x&novel=y", "id=b&max_contacts=100&qualify_timeout=0.5&other=1")
	}
	f("pruned past the position", "UPDATE ps_aors SET max_contacts = 50", "DELETE FROM asterism_changes",
		"UPDATE asterism_meta SET value = (SELECT seq FROM sqlite_sequence WHERE name = 'asterism_changes') WHERE name = 'pruned_to'")
	f("a younger log", "DELETE FROM asterism_changes", "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'asterism_changes'", "UPDATE ps_aors SET max_contacts = 60")
	f("pruned up to the position", "DELETE FROM asterism_changes",
		"UPDATE asterism_meta SET value = (SELECT seq FROM sqlite_sequence WHERE name = 'asterism_changes') WHERE name = 'pruned_to'", "UPDATE ps_aors SET max_contacts = 70")
}
