package test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// beside keeps writes and lookups going side by side and judges their times.
func (s size) beside(t *testing.T, node *sized, book *book) {
	t.Helper()
	writing, reading := openWires(t, node.Asterisk, writers), openWires(t, node.Asterisk, readers)
	watch := node.watch(t)
	begin := time.Now().Add(100 * time.Millisecond)
	lookups := make(chan timed, 1)
	go func() {
		lookups <- together(t, readers, func(k int) timed {
			random := rand.New(rand.NewPCG(uint64(begin.UnixNano()), uint64(k)))
			return share(begin, s.lookups, s.during, k, readers).keep(func(n int) error { return s.lookup(reading[k], n, random) })
		})
	}()
	written := together(t, writers, func(k int) timed {
		return share(begin, s.writes, s.during, k, writers).keep(func(int) error { return book.pages[k].write(writing[k]) })
	})
	looked := <-lookups
	t.Logf("%v beside each other: %s", s.during, watch())
	t.Logf("contact writes, %d/s: %v", s.writes, written)
	t.Logf("lookups, %d/s: %v", s.lookups, looked)
	judge(t, "p99 of a write in ms", float64(quantile(written.took, 0.99).Milliseconds()), float64(mostWrite.Milliseconds()))
	judge(t, "p99 of a lookup in ms", float64(quantile(looked.took, 0.99).Microseconds())/1000, float64(mostLookup.Milliseconds()))
}

// lookup asks what a call asks, about a random subscriber.
func (s size) lookup(w *wire, n int, random *rand.Rand) error {
	subscriber := random.IntN(s.subscribers)
	id := phone(subscriber)
	path, body, want := "/rt/ps_endpoints/single", "id="+id, "auth="+id
	switch n % 4 {
	case 1:
		path, want = "/rt/ps_aors/single", "max_contacts=2"
	case 2:
		path, body, want = "/rt/numbers/single", "number="+numberOf(subscriber), "destination="+id
	case 3: // those that registered: of the others there is nothing to find
		id = phone(random.IntN(s.contacts))
		path, body, want = "/rt/ps_contacts/multi", "id%20LIKE="+id+"%3B%40%25", ""
	}
	answer, err := w.ask(path, body)
	if err != nil {
		return err
	}
	if !bytes.Contains(answer, []byte(want)) {
		return fmt.Errorf("%s %s: %q has no %s", path, body, answer, want)
	}
	if n%4 == 3 && len(answer) > 0 && !strings.Contains(string(answer), "endpoint="+id) {
		return fmt.Errorf("%s %s: %q is of another phone", path, body, answer)
	}
	return nil
}

// watch looks at the node's memory every second; the returned function ends
// that and tells what the node took meanwhile.
func (n *sized) watch(t *testing.T) func() string {
	t.Helper()
	began := n.spent(t)
	ended, most := make(chan struct{}), make(chan int64, 1)
	go func() {
		defer close(most) // also when the node is gone, which ends this by a fault
		again := time.NewTicker(time.Second)
		defer again.Stop()
		largest := n.memory(t, "VmRSS")
		for {
			select {
			case <-again.C:
				largest = max(largest, n.memory(t, "VmRSS"))
			case <-ended:
				most <- largest
				return
			}
		}
	}()
	return func() string {
		close(ended)
		return fmt.Sprintf("%s; resident at most %d MB, now %d MB; %s", n.spent(t).since(began), <-most>>20, n.memory(t, "VmRSS")>>20,
			n.collections(t, began.at.Sub(n.began), time.Since(n.began)))
	}
}
