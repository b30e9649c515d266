package test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// contactOf is the id of a subscriber's contact, as it stands in a form.
func contactOf(subscriber int) string {
	return phone(subscriber) + "%3B%40" + passwordOf(subscriber) + passwordOf(subscriber+1)
}

// page is what one connection has written and had acknowledged. Pages share no
// contact: so each contact has one last value.
type page struct {
	random   *rand.Rand
	versions map[int]int // of the contacts that are there, by subscriber
	there    []int       // the same subscribers, to choose from
	gone     []int
	next     int // the next subscriber without a contact
}

// book is all pages.
type book struct {
	size
	pages []*page
}

func newBook(s size) *book {
	seed := uint64(time.Now().UnixNano())
	b := &book{size: s}
	for k := range writers {
		b.pages = append(b.pages, &page{random: rand.New(rand.NewPCG(seed, uint64(k))), versions: map[int]int{}, next: k})
	}
	return b
}

// register gives the first subscribers a contact each, as fast as the node takes them.
func (b *book) register(t *testing.T, node *sized) {
	t.Helper()
	wires := openWires(t, node.Asterisk, writers)
	watch := node.watch(t)
	all := together(t, writers, func(k int) timed {
		var out timed
		for b.pages[k].next < b.contacts {
			begun := time.Now()
			if out.err = b.pages[k].store(wires[k]); out.err != nil {
				return out
			}
			out.took = append(out.took, time.Since(begun))
		}
		return out
	})
	t.Logf("%d phones registered over %d connections: %v; %s", b.contacts, writers, all, watch())
}

// write writes as phones do: mostly refreshes, some that come and some that go.
func (p *page) write(w *wire) error {
	switch p.random.IntN(20) {
	case 0:
		return p.store(w)
	case 1:
		return p.destroy(w)
	}
	subscriber := p.there[p.random.IntN(len(p.there))]
	version := p.versions[subscriber] + 1
	if err := acknowledged(w, "/rt/ps_contacts/update?id="+contactOf(subscriber), contact(subscriber, version)); err != nil {
		return err
	}
	p.versions[subscriber] = version
	return nil
}

func (p *page) store(w *wire) error {
	if err := acknowledged(w, "/rt/ps_contacts/store", "id="+contactOf(p.next)+"&"+contact(p.next, 0)); err != nil {
		return err
	}
	p.versions[p.next], p.there = 0, append(p.there, p.next)
	p.next += writers
	return nil
}

func (p *page) destroy(w *wire) error {
	i := p.random.IntN(len(p.there))
	subscriber := p.there[i]
	if err := acknowledged(w, "/rt/ps_contacts/destroy", "id="+contactOf(subscriber)+"&"); err != nil {
		return err
	}
	last := len(p.there) - 1
	p.there[i], p.there = p.there[last], p.there[:last]
	delete(p.versions, subscriber)
	p.gone = append(p.gone, subscriber)
	return nil
}

// acknowledged writes and holds that one row was matched.
func acknowledged(w *wire, path, body string) error {
	answer, err := w.ask(path, body)
	if err == nil && string(answer) != "1" {
		err = fmt.Errorf("%s %s: answer %q", path, body, answer)
	}
	return err
}

// check holds that nothing that was acknowledged is lost, in the node and in SQL.
func (b *book) check(t *testing.T, h *lab.Home, node *sized) {
	t.Helper()
	b.checkWire(t, node)
	began := time.Now()
	lab.Eventually(t, 5*time.Minute, "the spool is in SQL", func() bool { return node.metric(t, "asterism_spool_entries") == 0 })
	t.Logf("the spool was in SQL %.2f s after the last look over the wire", time.Since(began).Seconds())
	want, got := map[string]string{}, map[string]string{}
	for _, p := range b.pages {
		for subscriber, version := range p.versions {
			id := strings.NewReplacer("%3B", "^3B", "%40", "@").Replace(contactOf(subscriber))
			want[id] = fmt.Sprintf("%d %s", expiryOf(version), callOf(subscriber, version))
		}
	}
	for line := range strings.Lines(h.SQL(t, "SELECT id || ' ' || expiration_time || ' ' || call_id FROM ps_contacts")) {
		id, values, _ := strings.Cut(strings.TrimSpace(line), " ")
		got[id] = values
	}
	if !maps.Equal(want, got) {
		t.Errorf("SQL holds %d contacts, acknowledged are %d, or some differ", len(got), len(want))
		for id := range want {
			if got[id] != want[id] {
				t.Fatalf("for one, %s is %q in SQL, acknowledged was %q", id, got[id], want[id])
			}
		}
	}
	b.checkWire(t, node)
}

// checkWire asks the node for every contact that was ever acknowledged.
func (b *book) checkWire(t *testing.T, node *sized) {
	t.Helper()
	w, began, asked := openWire(t, node.Asterisk), time.Now(), 0
	for _, p := range b.pages {
		for subscriber, version := range p.versions {
			answer, err := w.ask("/rt/ps_contacts/single", "id="+contactOf(subscriber))
			if err != nil {
				t.Fatal(err)
			}
			row := string(answer)
			if field(row, "call_id") != callOf(subscriber, version) || field(row, "expiration_time") != fmt.Sprint(expiryOf(version)) {
				t.Fatalf("contact %s was acknowledged in version %d; now it is %q", contactOf(subscriber), version, row)
			}
		}
		for _, subscriber := range p.gone {
			answer, err := w.ask("/rt/ps_contacts/single", "id="+contactOf(subscriber))
			if err != nil {
				t.Fatal(err)
			}
			if len(bytes.TrimSpace(answer)) > 0 {
				t.Fatalf("contact %s was destroyed; now it is %q", contactOf(subscriber), answer)
			}
		}
		asked += len(p.versions) + len(p.gone)
	}
	t.Logf("%d contacts looked at over the wire in %.1f s, all as acknowledged", asked, time.Since(began).Seconds())
}
