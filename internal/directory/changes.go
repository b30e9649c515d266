package directory

import (
	"iter"
	"slices"
	"sort"
)

// How much is remembered of what changed lately. A change takes 32 bytes beside
// the text of its key: 10 MiB at most, 6 MiB with keys of usual length.
const (
	MaxChanges      = 65_536
	MaxChangedBytes = 8 << 20 // of the keys' texts
	maxChangedKey   = 4096    // bytes; a longer key stands for all of its family
	pageChanges     = 256
)

// change is a bucket in which rows came, went or changed.
type change struct {
	key      string // as keyText spells it
	revision uint64 // with which that was published
	place    int32  // of the table
}

// page is a part of a history. Only the writer touches it beyond what a view has.
type page struct {
	changes [pageChanges]change
	bytes   int // of the keys
}

// history is what changed lately. As part of a view it never changes; the writer
// goes on where the newest one ends, in the same pages.
type history struct {
	pages []*page // oldest first, full but for the last one; never changed in place
	last  int     // changes in the last page
	bytes int     // of the keys in all pages
	floor uint64  // of what was published up to this revision something is forgotten
}

// add remembers one more change, and forgets the oldest when there are too many.
func (h *history) add(c change) {
	if len(h.pages) == 0 || h.last == pageChanges {
		h.turn()
	}
	p := h.pages[len(h.pages)-1]
	p.changes[h.last] = c
	p.bytes += len(c.key)
	h.last++
	h.bytes += len(c.key)
}

// turn begins a new page.
func (h *history) turn() {
	kept := h.pages
	for len(kept) > 0 && (len(kept) >= MaxChanges/pageChanges || h.bytes > MaxChangedBytes) {
		h.floor = kept[0].changes[pageChanges-1].revision
		h.bytes -= kept[0].bytes
		kept = kept[1:]
	}
	h.pages, h.last = append(slices.Clip(kept), new(page)), 0
}

// after yields the changes after a revision, oldest first.
func (h *history) after(revision uint64) iter.Seq[*change] {
	return func(yield func(*change) bool) {
		from := sort.Search(len(h.pages), func(i int) bool { return h.pages[i].changes[0].revision > revision })
		for i := max(0, from-1); i < len(h.pages); i++ {
			changes := h.pages[i].changes[:]
			if i == len(h.pages)-1 {
				changes = changes[:h.last]
			}
			if i < from {
				changes = changes[sort.Search(len(changes), func(j int) bool { return changes[j].revision > revision }):]
			}
			for j := range changes {
				if !yield(&changes[j]) {
					return
				}
			}
		}
	}
}

// note remembers that rows of a bucket of an edited table came, went or changed;
// the lock must be held, and swap publishes it.
func (d *Directory) note(t *Table, key string) {
	if len(t.key) == 0 || len(key) > maxChangedKey {
		d.noteAll(t)
		return
	}
	view := d.root.Load()
	t.revision = view.revision + 1
	d.history.add(change{key: key, revision: t.revision, place: int32(view.places[t.family.Name])})
}

// noteAll remembers that any row of an edited table may be another one.
func (d *Directory) noteAll(t *Table) {
	t.revision = d.root.Load().revision + 1
	t.whole = t.revision
}

// Touched is rows of a family that came, went or changed. A row that got another
// key is two changes, with the old key and with the new one.
type Touched struct {
	Place int      // of the family's table
	Key   []string // decoded, in the order of the family's key; nil: any of its rows
}

// Remembers tells whether Changes knows all that changed after a revision in the
// families at places, none meaning all.
func (v *View) Remembers(since uint64, places []int) bool {
	if since > v.revision {
		return false
	}
	if since >= v.history.floor {
		return true
	}
	for _, t := range v.at(places) {
		if t.revision > since && t.whole <= since {
			return false
		}
	}
	return true
}

// changed tells whether there is something for Changes to tell.
func (v *View) changed(since uint64, places []int) bool {
	for _, t := range v.at(places) {
		if t.revision > since {
			return true
		}
	}
	return false
}

// at yields tables by their places, all when there are none.
func (v *View) at(places []int) iter.Seq2[int, *Table] {
	return func(yield func(int, *Table) bool) {
		for _, place := range places {
			if !yield(place, v.tables[place]) {
				return
			}
		}
		if len(places) > 0 {
			return
		}
		for place, t := range v.tables {
			if !yield(place, t) {
				return
			}
		}
	}
}

// Changes gives what changed after a revision that the view Remembers in the
// families at places, none meaning all: each key once, and a family with more than
// most keys as one change of any row.
func (v *View) Changes(since uint64, places []int, most int) []Touched {
	g := gathering{most: most, families: make([]gathered, len(v.tables))}
	for place, t := range v.at(places) {
		switch {
		case t.revision <= since:
		case t.whole > since:
			g.families[place].whole = true
		default:
			g.families[place].open = true
		}
	}
	for c := range v.history.after(since) {
		g.take(c)
	}
	var out []Touched
	for place := range g.families {
		if g.families[place].whole {
			out = append(out, Touched{Place: place})
		}
	}
	for _, c := range g.changes {
		if !g.families[c.place].whole {
			out = append(out, Touched{Place: int(c.place), Key: splitKey(c.key)})
		}
	}
	return out
}

// gathering is what Changes has found so far.
type gathering struct {
	most     int
	families []gathered
	changes  []*change
	seen     map[bucketName]bool
}

// gathered is what was found of one family.
type gathered struct {
	open  bool // its keys are wanted
	whole bool
	keys  int
}

// bucketName names a bucket.
type bucketName struct {
	place int32
	key   string
}

func (g *gathering) take(c *change) {
	of := &g.families[c.place]
	id := bucketName{c.place, c.key}
	if !of.open || g.seen[id] {
		return
	}
	if of.keys++; of.keys > g.most {
		of.open, of.whole = false, true
		return
	}
	if g.seen == nil {
		g.seen = make(map[bucketName]bool)
	}
	g.seen[id] = true
	g.changes = append(g.changes, c)
}
