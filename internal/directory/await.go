package directory

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Rhythm of those who wait for changes.
const (
	// gather is the least between two answers: a change that comes alone is told at
	// once, a stream of them a hundred times a second. gatherEach is added for each
	// who waits: to answer a thousand takes a while, too.
	gather     = 10 * time.Millisecond
	gatherEach = 100 * time.Microsecond
	lookEvery  = 250 * time.Millisecond // whether somebody still waits
)

// Wait is what somebody waits for.
type Wait struct {
	Since   uint64 // revision up to which all is known
	Places  []int  // of the families that matter; none: all
	Longest time.Duration
	GaveUp  func() bool // asked now and then; true: nobody waits any more. May be nil
}

// waiters are all who wait. What they cost a writer is one look when there are
// none, and else one timer for all that is published until it runs.
type waiters struct {
	count atomic.Int64
	armed atomic.Bool  // the timer runs
	woke  atomic.Int64 // when it last ran, in nanoseconds of Unix time

	mu      sync.Mutex // guards waiting
	waiting map[*waiter]bool

	end   sync.Once
	ended chan struct{} // closed when nobody is to wait any more
}

// waiter is one of them.
type waiter struct {
	since  uint64
	places []int
	woken  chan struct{} // closed
}

// Await returns once something changed that the wait is about, some milliseconds
// after others were told of changes; or when its time is over, the context ends,
// nobody waits any more, or EndWaits was called. It gives the view of that moment.
func (d *Directory) Await(ctx context.Context, w Wait) *View {
	d.waiters.count.Add(1)
	defer d.waiters.count.Add(-1)
	me := d.enter(w)
	defer d.leave(me)
	if d.View().changed(w.Since, w.Places) {
		d.arm()
	}
	left := w.Longest
	timer := time.NewTimer(min(left, lookEvery))
	defer timer.Stop()
	for {
		select {
		case <-me.woken:
			return d.View()
		case <-d.waiters.ended:
			return d.View()
		case <-ctx.Done():
			return d.View()
		case <-timer.C:
		}
		left -= lookEvery
		if left <= 0 || w.GaveUp != nil && w.GaveUp() {
			return d.View()
		}
		timer.Reset(min(left, lookEvery))
	}
}

// Waiting is the number of Await that have not returned.
func (d *Directory) Waiting() int64 { return d.waiters.count.Load() }

// EndWaits lets everybody who waits go, and nobody wait from now on.
func (d *Directory) EndWaits() {
	d.waiters.end.Do(func() { close(d.waiters.ended) })
}

func (d *Directory) enter(w Wait) *waiter {
	me := &waiter{since: w.Since, places: w.Places, woken: make(chan struct{})}
	d.waiters.mu.Lock()
	defer d.waiters.mu.Unlock()
	if d.waiters.waiting == nil {
		d.waiters.waiting = make(map[*waiter]bool)
	}
	d.waiters.waiting[me] = true
	return me
}

func (d *Directory) leave(me *waiter) {
	d.waiters.mu.Lock()
	defer d.waiters.mu.Unlock()
	delete(d.waiters.waiting, me)
}

// tell lets those who wait know that something was published.
func (d *Directory) tell() {
	if d.waiters.count.Load() > 0 { // counted before it looks at the view, so that one of us sees the other
		d.arm()
	}
}

// arm starts the timer if it does not run.
func (d *Directory) arm() {
	if d.waiters.armed.Load() || !d.waiters.armed.CompareAndSwap(false, true) {
		return
	}
	pause := gather + time.Duration(d.waiters.count.Load())*gatherEach
	time.AfterFunc(min(pause, pause-time.Since(time.Unix(0, d.waiters.woke.Load()))), d.wake)
}

// wake wakes whom the changes of the last moment concern.
func (d *Directory) wake() {
	d.waiters.woke.Store(time.Now().UnixNano())
	d.waiters.armed.Store(false) // before it looks: what is published later arms again
	view := d.View()
	d.waiters.mu.Lock()
	defer d.waiters.mu.Unlock()
	for w := range d.waiters.waiting {
		if view.changed(w.since, w.places) {
			close(w.woken)
			delete(d.waiters.waiting, w)
		}
	}
}
