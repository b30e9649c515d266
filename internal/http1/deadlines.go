package http1

import "time"

// deadlines are the connections of a loop that wait for the same thing, each for
// the same time, so that they lie in the order in which they began: to look at the
// first is to look at all.
type deadlines struct {
	after       time.Duration
	first, last *connection
}

// wait puts a connection behind all others of the list, out of the one it is in.
func (d *deadlines) wait(c *connection, now time.Duration) {
	c.leaveList()
	c.list, c.since, c.before = d, now, d.last
	if d.last != nil {
		d.last.behind = c
	} else {
		d.first = c
	}
	d.last = c
}

// leaveList takes a connection out of its list.
func (c *connection) leaveList() {
	d := c.list
	if d == nil {
		return
	}
	if c.before != nil {
		c.before.behind = c.behind
	} else {
		d.first = c.behind
	}
	if c.behind != nil {
		c.behind.before = c.before
	} else {
		d.last = c.before
	}
	c.list, c.before, c.behind = nil, nil, nil
}

// over gives the first connection whose time is over, or nil.
func (d *deadlines) over(now time.Duration) *connection {
	if c := d.first; c != nil && now-c.since >= d.after {
		return c
	}
	return nil
}
