package test

import (
	"fmt"
	"testing"
	"time"

	"asterism/test/lab"
)

// size is how large a run of TestSizeOfSubscribers is.
type size struct {
	subscribers, contacts int
	changes               int           // timed one by one
	lookups, writes       int           // per second
	during                time.Duration // of both side by side
	rest                  time.Duration // from ready to the look at resident memory
}

// wantedSize is that of make size, or a small one that shows the same but for
// times and memory.
func wantedSize() size {
	if soaking() {
		return size{1_000_000, 100_000, 50, 5000, 1000, time.Minute, time.Minute}
	}
	return size{10_000, 1_000, 5, 500, 100, 2 * time.Second, 0}
}

// What must hold on two cores that are shared with the clients. Only make size
// judges it: elsewhere the machine belongs to others too.
const (
	mostStart        = 15 * time.Second
	mostResident     = 1536.0 // bytes for one subscriber
	mostPeak         = 2 * mostResident
	mostLookup       = 5 * time.Millisecond  // p99
	mostWrite        = 20 * time.Millisecond // p99
	writers, readers = 32, 16                // connections
)

// TestSizeOfSubscribers takes a node through a day at its full size: start, one
// change, all phones register, registrations beside lookups, restart.
func TestSizeOfSubscribers(t *testing.T) {
	lab.NeedProgram(t, "sqlite3")
	s := wantedSize()
	h := lab.NewHome(t)
	for _, of := range families() {
		of.load(t, h, s.subscribers)
	}
	node := startAtSize(t, h)
	s.judgeStart(t, node)
	s.showChanges(t, h, node)

	book := newBook(s)
	book.register(t, node)
	s.beside(t, node, book)
	book.check(t, h, node)

	began := time.Now()
	node.End(t)
	t.Logf("ended in %.1f s", time.Since(began).Seconds())
	node = startAtSize(t, h)
	s.judgeStart(t, node)
	book.checkWire(t, node)
}

// judgeStart looks at a node that has just become ready, and again after a rest.
func (s size) judgeStart(t *testing.T, node *sized) {
	t.Helper()
	for _, of := range families() {
		if got, want := node.metric(t, `asterism_rows{family="`+of.name+`"}`), float64(s.subscribers); got != want {
			t.Errorf("the node holds %v %s of %v", got, of.name, want)
		}
	}
	peak, atOnce := node.memory(t, "VmHWM"), node.memory(t, "VmRSS")
	<-time.NewTimer(s.rest).C
	rested := node.memory(t, "VmRSS")
	t.Logf("ready after %.2f s (%s); resident: peak %d MB, at once %d MB, %v later %d MB: %.0f bytes for each subscriber, peak %.0f; %s",
		node.start.Seconds(), node.starting, peak>>20, atOnce>>20, s.rest, rested>>20, s.each(rested), s.each(peak), node.collections(t, 0, node.start))
	judge(t, "time to ready", node.start.Seconds(), mostStart.Seconds())
	judge(t, "bytes resident for each subscriber", s.each(rested), mostResident)
	judge(t, "bytes at the peak for each subscriber", s.each(peak), mostPeak)
}

// each shares bytes among the subscribers.
func (s size) each(bytes int64) float64 { return float64(bytes) / float64(s.subscribers) }

// judge holds a figure against its limit where the machine is ours.
func judge(t *testing.T, what string, got, most float64) {
	t.Helper()
	if soaking() && got > most {
		t.Errorf("%s: %.4g, more than %.4g", what, got, most)
	}
}

// contact is what a phone's registration says of it, at its n-th time.
func contact(subscriber, version int) string {
	id := phone(subscriber)
	host := fmt.Sprintf("10.%d.%d.%d", subscriber>>16&255, subscriber>>8&255, subscriber&255)
	return fmt.Sprintf("via_addr=%s&qualify_timeout=3.000000&call_id=%s&reg_server=pbx1&prune_on_boot=no&path=&endpoint=%s&via_port=5060"+
		"&authenticate_qualify=no&uri=sip%%3A%s%%40%s%%3A5060&qualify_frequency=60&user_agent=Yealink%%20SIP-T46S%%2066.86.0.15&expiration_time=%d&outbound_proxy=&qualify_2xx_only=no",
		host, callOf(subscriber, version), id, id, host, expiryOf(version))
}

// callOf and expiryOf tell the versions of a contact apart.
func callOf(subscriber, version int) string { return fmt.Sprintf("%d-%d@phone", subscriber, version) }

func expiryOf(version int) int { return 4102444800 + version }
