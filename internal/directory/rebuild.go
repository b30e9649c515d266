package directory

import "asterism/internal/family"

// Rebuild makes a whole table anew beside the one that is served, from a read
// of SQL that began after the Rebuild did, and then takes its place. Buckets
// that were published meanwhile are fresher than that read and win; whoever
// publishes sees to it that such a read began after the Rebuild too. Of two
// rebuilds of a family at a time the one that began later wins.
//
// Add is for one goroutine; Commit ends it, Cancel gives it up.
type Rebuild struct {
	directory  *Directory
	name       string
	old        *Table
	table      *Table
	generation uint64
	fresh      map[string]bool
	superseded bool // by one that began later
	lifted     bool // an overlay was, with which readers saw something else
	repeated   bool // there are rows that are equal in every value
	same       int
	keyless    []Row // of a family without key: one bucket, put in place at the end
}

// Begin starts a rebuild with the family as the store describes it now.
func (d *Directory) Begin(f *family.Family) *Rebuild {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.table(f.Name)
	d.generation++
	r := &Rebuild{directory: d, name: f.Name, old: old, generation: d.generation, fresh: make(map[string]bool)}
	r.table = newTable(f, d.seed, old.listing)
	r.table.stats = old.stats
	if d.rebuilds[f.Name] == nil {
		d.rebuilds[f.Name] = make(map[*Rebuild]bool)
	}
	d.rebuilds[f.Name][r] = true
	return r
}

// Columns gives the columns to build rows with, the named ones among them.
func (r *Rebuild) Columns(names []string) *Columns {
	r.table.learn(names)
	return r.table.columns
}

// Add adds a row. A row that the directory has already, byte for byte, is kept
// instead of the new one, so that reading everything again costs no memory.
// Rows that come in the order of the family's key cost least.
func (r *Rebuild) Add(row Row) {
	if len(r.table.key) == 0 {
		r.keyless = append(r.keyless, row)
		return
	}
	if r.old.count > 0 {
		row = r.known(row)
	}
	if r.table.hash[0].shares(r.table.seed, row) {
		key := r.table.KeyOf(row)
		bucket := r.table.Bucket(key)
		r.repeated = r.repeated || contains(bucket, row)
		r.table.replace(r.generation, key, append(bucket, row))
		return
	}
	r.table.load(r.generation, row)
}

// known gives the directory's own copy of a row, where it has one.
func (r *Rebuild) known(row Row) Row {
	for _, old := range r.old.Bucket(r.table.KeyOf(row)) {
		if old.equal(row) {
			r.same++
			return old
		}
	}
	return row
}

// Commit publishes the table and gives the number of rows that differed: those
// that came or those that went, whichever are more, so that one that changed
// counts once. Buckets that were published meanwhile or have unflushed writes
// don't count.
func (r *Rebuild) Commit() (mended int) {
	d := r.directory
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.rebuilds[r.name], r)
	if r.superseded {
		return 0
	}
	for other := range d.rebuilds[r.name] {
		other.superseded = other.superseded || other.generation < r.generation
	}
	current := d.table(r.name)
	r.table.revision, r.table.whole = current.revision, current.whole
	r.placeKeyless()
	came, went := r.table.count-r.same, r.old.count-r.same
	for key := range r.fresh {
		texts := splitKey(key)
		came -= lacking(r.old.Bucket(texts), r.table.Bucket(texts))
		went -= lacking(r.table.Bucket(texts), r.old.Bucket(texts))
		base := current.Bucket(texts)
		if o := d.overlays[r.name][key]; o != nil {
			base = o.base
		}
		r.table.replace(r.generation, texts, r.translate(current, base))
	}
	for key, o := range d.overlays[r.name] {
		texts := splitKey(key)
		o.base = r.table.Bucket(texts)
		if !r.fresh[key] {
			came -= lacking(r.old.Bucket(texts), o.base)
			went -= lacking(o.base, r.old.Bucket(texts))
		}
		r.table.replace(r.generation, texts, o.merge(r.table))
		if differ(current.Bucket(texts), r.table.Bucket(texts)) {
			d.note(r.table, key)
		}
	}
	// Where rows repeat, came and went may hide each other.
	if came != 0 || went != 0 || r.repeated || r.lifted || !r.table.columns.alike(current.columns) {
		d.noteAll(r.table)
	}
	d.swap(r.table)
	return max(came, went)
}

// differ tells whether two buckets hold other rows.
func differ(a, b []Row) bool { return lacking(a, b)+lacking(b, a) > 0 }

// splitKey gives the texts of a key that keyText spelled.
func splitKey(key string) []string {
	texts, err := family.SplitKey(key)
	if err != nil {
		panic(err) // ours: it was made by AppendKey
	}
	return texts
}

// lacking counts the rows that are not among those of a bucket.
func lacking(bucket, rows []Row) (n int) {
	for _, r := range rows {
		if !contains(bucket, r) {
			n++
		}
	}
	return n
}

// placeKeyless puts the rows of a family without key in place.
func (r *Rebuild) placeKeyless() {
	if len(r.table.key) > 0 {
		return
	}
	r.table.replace(r.generation, nil, r.keyless)
	had := make(map[string]bool, r.old.count)
	r.old.Each(func(row Row) bool { had[row.bytes()] = true; return true })
	r.table.Each(func(row Row) bool {
		if had[row.bytes()] {
			r.same++
		}
		return true
	})
}

// Cancel gives the rebuild up.
func (r *Rebuild) Cancel() {
	r.directory.mu.Lock()
	defer r.directory.mu.Unlock()
	delete(r.directory.rebuilds[r.name], r)
}

// translate gives rows with the column positions of the new table.
func (r *Rebuild) translate(from *Table, rows []Row) []Row {
	b := NewBuilder(nil)
	out := make([]Row, 0, len(rows))
	for _, row := range rows {
		for i := range row.Len() {
			if column, _ := row.At(i); column != ordinalColumn {
				r.table.learn([]string{from.columns.names[column]})
			}
		}
		b.Reset(r.table.columns)
		for i := range row.Len() {
			if column, value := row.At(i); column != ordinalColumn {
				b.Add(r.table.columns.exact[from.columns.names[column]], value)
			}
		}
		out = append(out, b.Row())
	}
	return out
}

// noteFresh tells the rebuilds of a family that a bucket was published; the
// lock must be held.
func (d *Directory) noteFresh(name, key string) {
	for r := range d.rebuilds[name] {
		r.fresh[key] = true
	}
}

// noteLifted tells the rebuilds of a family that readers see other rows since an
// overlay was lifted; the lock must be held.
func (d *Directory) noteLifted(name string) {
	for r := range d.rebuilds[name] {
		r.lifted = true
	}
}
