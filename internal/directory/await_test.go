package directory

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// awaited starts an Await and gives where its view comes.
func awaited(d *Directory, w Wait) <-chan *View {
	out := make(chan *View, 1)
	go func() { out <- d.Await(context.Background(), w) }()
	return out
}

// TestAwaitTellsOneAtOnceAndGathersMany: what comes alone is told in no time, what
// follows within a moment together; who waits for another family hears of neither.
func TestAwaitTellsOneAtOnceAndGathersMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(standard(t, "ps_aors", "ps_auths"), nil)
		aors, auths := []int{d.View().Place([]byte("ps_aors"))}, []int{d.View().Place([]byte("ps_auths"))}
		begin := time.Now()
		first, second := awaited(d, Wait{Places: aors, Longest: time.Second}), awaited(d, Wait{Places: auths, Longest: time.Second})
		synctest.Wait()
		if d.Waiting() != 2 {
			t.Errorf("%d wait, want 2", d.Waiting())
		}
		told := func(of <-chan *View, revision uint64, after time.Duration) {
			t.Helper()
			if view := <-of; view.Revision() != revision || time.Since(begin) != after {
				t.Errorf("revision %d after %v, want %d after %v", view.Revision(), time.Since(begin), revision, after)
			}
		}
		time.Sleep(300 * time.Millisecond)
		put(t, d, "ps_aors", "id=1")
		told(first, 1, 300*time.Millisecond)
		first = awaited(d, Wait{Since: 1, Places: aors, Longest: time.Second})
		synctest.Wait()
		put(t, d, "ps_aors", "id=2")
		time.Sleep(gather / 2)
		put(t, d, "ps_aors", "id=3")
		told(first, 3, 300*time.Millisecond+gather+2*gatherEach)
		told(second, 3, time.Second)
		if d.Waiting() != 0 {
			t.Errorf("%d wait still", d.Waiting())
		}
	})
}

func TestAwaitReturnsForWhatWasThereBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(standard(t, "ps_aors"), nil)
		put(t, d, "ps_aors", "id=1")
		begin := time.Now()
		if view := <-awaited(d, Wait{Longest: time.Second}); view.Revision() != 1 || time.Since(begin) != 0 {
			t.Errorf("revision %d after %v", view.Revision(), time.Since(begin))
		}
	})
}

func TestAwaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(standard(t, "ps_aors"), nil)
		var gone atomic.Bool
		begin := time.Now()
		left := awaited(d, Wait{Longest: time.Second, GaveUp: gone.Load})
		time.Sleep(100 * time.Millisecond)
		gone.Store(true)
		if <-left; time.Since(begin) > lookEvery {
			t.Errorf("nobody waits any more, which was seen after %v", time.Since(begin))
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { d.Await(ctx, Wait{Longest: time.Second}); close(done) }()
		synctest.Wait()
		begin = time.Now()
		cancel()
		if <-done; time.Since(begin) != 0 {
			t.Errorf("the context's end was seen after %v", time.Since(begin))
		}
		waiting := awaited(d, Wait{Longest: time.Second})
		synctest.Wait()
		d.EndWaits()
		d.EndWaits() // once more does no harm
		<-waiting
		if <-awaited(d, Wait{Longest: time.Second}); time.Since(begin) != 0 {
			t.Errorf("the end of all waits was seen after %v", time.Since(begin))
		}
	})
}

// TestAFollowerNeverHoldsAStaleValue: writers change rows as fast as they can; who
// keeps what it reads, and forgets what it is told, never has an old value.
func TestAFollowerNeverHoldsAStaleValue(t *testing.T) {
	const keys, rounds = 200, 60
	d := New(standard(t, "ps_aors", "ps_auths"), nil)
	var done atomic.Bool
	var writers, followers sync.WaitGroup
	for writer := range 2 {
		writers.Go(func() {
			table := []string{"ps_aors", "ps_auths"}[writer]
			for n := 0; !done.Load(); n++ {
				id := fmt.Sprint(rand.IntN(keys))
				row := rowOf(t, d, table, "id="+id, fmt.Sprintf("%s=%d", []string{"contact", "realm"}[writer], n))
				d.Publish(table, []Bucket{{Key: []string{id}, Rows: []Row{row}}})
				if n%64 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	for range 3 {
		followers.Go(func() { follow(t, d, keys, rounds) })
	}
	followers.Wait()
	done.Store(true)
	writers.Wait()
}

// slot is a row that a follower may hold, held what it read of it, at a revision.
type slot struct{ place, id int }

type held struct {
	value    string
	revision uint64
}

func (s slot) read(view *View) held {
	for _, r := range view.Tables()[s.place].Bucket([]string{fmt.Sprint(s.id)}) {
		return held{r.Curl(), view.Revision()}
	}
	return held{"", view.Revision()}
}

// follow keeps a model by Await, Changes and reads, and compares it with each view.
func follow(t *testing.T, d *Directory, keys, rounds int) {
	since, model, told := d.View().Revision(), map[slot]held{}, 0
	for range rounds {
		view := d.Await(context.Background(), Wait{Since: since, Longest: time.Second})
		if !view.Remembers(since, nil) {
			clear(model)
		} else {
			for _, c := range view.Changes(since, nil, 50) {
				told++
				for at := range model {
					if at.place == c.Place && (c.Key == nil || c.Key[0] == fmt.Sprint(at.id)) {
						delete(model, at)
					}
				}
			}
		}
		since = view.Revision()
		for at, holds := range model {
			if now := at.read(view); holds.revision <= since && now.value != holds.value {
				t.Errorf("at revision %d the follower holds %q of %d, the directory %q", since, holds.value, holds.revision, now.value)
				return
			}
		}
		for range rand.IntN(keys) {
			at := slot{rand.IntN(2), rand.IntN(keys)}
			model[at] = at.read(d.View()) // mostly of a later revision than what is known
			for range rand.IntN(100) {
				runtime.Gosched()
			}
		}
	}
	if told == 0 {
		t.Error("a follower was told nothing")
	}
}

func BenchmarkPublication(b *testing.B) {
	for _, watchers := range []int{0, 1, 100} {
		b.Run(fmt.Sprintf("watchers=%d", watchers), func(b *testing.B) {
			d := New(standard(b, "ps_aors"), nil)
			table := d.View().Table([]byte("ps_aors"))
			rows := [2]Row{rowOf(b, d, "ps_aors", "id=1", "contact=sip:a"), rowOf(b, d, "ps_aors", "id=1", "contact=sip:b")}
			key := table.KeyOf(rows[0])
			ctx, cancel := context.WithCancel(context.Background())
			var tasks sync.WaitGroup
			for range watchers {
				tasks.Go(func() {
					for since := uint64(0); ctx.Err() == nil; {
						view := d.Await(ctx, Wait{Since: since, Longest: time.Second})
						view.Changes(since, nil, 1000)
						since = view.Revision()
					}
				})
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				d.Publish("ps_aors", []Bucket{{Key: key, Rows: rows[n%2 : n%2+1]}})
			}
			b.StopTimer()
			cancel()
			tasks.Wait()
		})
	}
}
