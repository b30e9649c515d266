package directory

import (
	"crypto/rand"
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"

	"asterism/internal/family"
)

// Directory holds the current view and everything that its one writer at a time
// needs. Reading needs only View.
type Directory struct {
	seed     maphash.Seed
	instance string
	root     atomic.Pointer[View]
	waiters  waiters

	mu         sync.Mutex // guards all below, and the making of views
	generation uint64
	overlays   map[string]map[string]*overlay // family, key
	rebuilds   map[string]map[*Rebuild]bool   // under way, by family
	history    history                        // of the next view
}

// View is the whole directory at one moment.
type View struct {
	tables   []*Table
	places   map[string]int // family or alias; shared by all views
	revision uint64
	history  history
}

// New makes an empty directory of the families. listings name the policy of a
// family's full listing: all (default), none, and for ps_aors and ps_endpoints
// active, for ps_endpoints asked.
func New(families []*family.Family, listings map[string]string) *Directory {
	d := &Directory{
		seed: maphash.MakeSeed(), instance: rand.Text()[:16],
		overlays: make(map[string]map[string]*overlay), rebuilds: make(map[string]map[*Rebuild]bool),
		waiters: waiters{ended: make(chan struct{})},
	}
	view := &View{places: make(map[string]int)}
	for i, f := range families {
		view.places[f.Name] = i
		view.tables = append(view.tables, newTable(f, d.seed, d.listing(f.Name, listings)))
	}
	for alias, name := range family.Aliases() {
		if i, ok := view.places[name]; ok {
			view.places[alias] = i
		}
	}
	d.root.Store(view)
	return d
}

// listing gives what a policy means for a family.
func (d *Directory) listing(name string, policies map[string]string) Listing {
	var l Listing
	policy := policies[name]
	if policy == "asked" { // what is not narrowed, as its AORs
		l.Asked, policy = true, policies["ps_aors"]
	}
	switch policy {
	case "none":
		l.None = true
	case "active":
		l.Active = d.active(name)
	}
	return l
}

// View gives the current view.
func (d *Directory) View() *View { return d.root.Load() }

// Instance names this life of the directory: another one after every start.
func (d *Directory) Instance() string { return d.instance }

// Revision counts the publications of this instance that changed something for
// readers. What a view answers reflects all of them up to its own.
func (v *View) Revision() uint64 { return v.revision }

// Table finds a family's table by name or alias, or nil.
func (v *View) Table(name []byte) *Table {
	if i, ok := v.places[string(name)]; ok {
		return v.tables[i]
	}
	return nil
}

// Place gives the number of a family's table, for callers that keep something
// per family, or -1.
func (v *View) Place(name []byte) int {
	if i, ok := v.places[string(name)]; ok {
		return i
	}
	return -1
}

// Aliases gives the other names of the table at a place, sorted.
func (v *View) Aliases(place int) (names []string) {
	for name, at := range v.places {
		if at == place && name != v.tables[place].family.Name {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Tables gives all tables; Place is the index.
func (v *View) Tables() []*Table { return v.tables }

// Bucket is all rows of one key, to replace what the directory has there.
type Bucket struct {
	Key  []string // decoded
	Rows []Row
}

// Publish replaces what SQL says of buckets of a family and gives the number of
// rows that changed for readers. What lies over a bucket stays on it.
func (d *Directory) Publish(name string, buckets []Bucket) (changed int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.table(name).forEdit()
	d.generation++
	for _, bucket := range buckets {
		key := keyText(bucket.Key)
		d.noteFresh(name, key)
		rows := bucket.Rows
		if o := d.overlays[name][key]; o != nil {
			o.base = rows
			rows = o.merge(t)
		}
		if n := t.replace(d.generation, bucket.Key, rows); n > 0 {
			d.note(t, key)
			changed += n
		}
	}
	d.swap(t)
	return changed
}

// EnsureColumns makes the named columns known and gives the columns to build
// rows with. They hold until the family's next Rebuild is committed.
func (d *Directory) EnsureColumns(name string, columns []string) *Columns {
	current := d.root.Load().Table([]byte(name))
	if missing(current.columns, columns) == nil {
		return current.columns
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.table(name).forEdit()
	t.learn(columns)
	d.swap(t)
	return t.columns
}

func missing(c *Columns, names []string) (out []string) {
	for _, name := range names {
		if _, ok := c.exact[name]; !ok {
			out = append(out, name)
		}
	}
	return out
}

// learn adds columns that the table does not know yet.
func (t *Table) learn(names []string) {
	for _, name := range missing(t.columns, names) {
		t.columns = t.columns.with(name, t.family.Split(name))
	}
}

// table gives the current table to edit; the lock must be held.
func (d *Directory) table(name string) *Table {
	return d.root.Load().Table([]byte(name))
}

// swap publishes edited tables with what was noted of them; the lock must be held.
func (d *Directory) swap(tables ...*Table) {
	old := d.root.Load()
	view := &View{places: old.places, revision: old.revision, history: d.history}
	view.tables = append(view.tables, old.tables...)
	for _, t := range tables {
		view.tables[old.places[t.family.Name]] = t
		view.revision = max(view.revision, t.revision)
	}
	d.root.Store(view)
	if view.revision > old.revision {
		d.tell()
	}
}

func keyText(key []string) string { return string(family.AppendKey(nil, key...)) }
