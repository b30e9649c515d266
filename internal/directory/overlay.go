package directory

import (
	"maps"
	"slices"

	"asterism/internal/family"
)

// WriteKind says what a write of Asterisk does to its bucket.
type WriteKind string

const (
	Put    WriteKind = "put"    // the row exists from now on, with these values
	Change WriteKind = "change" // the rows of the bucket get these values
	Delete WriteKind = "delete" // the bucket is empty
	Append WriteKind = "append" // a row of an append-only family; never in memory
)

// Write is one write of Asterisk, acknowledged by this node, not yet in SQL.
type Write struct {
	ID     int64     `json:"-"` // position in the spool; grows
	At     int64     `json:"at"`
	Family string    `json:"family"`
	Key    []string  `json:"key,omitempty"` // decoded
	Kind   WriteKind `json:"kind"`
	Values []Value   `json:"values,omitempty"`
}

// Value is the new content of one column: decoded values, none to clear it.
type Value struct {
	Column string   `json:"column"`
	Values []string `json:"values,omitempty"`
}

// overlay is what lies over a bucket: the sum of its unflushed writes.
type overlay struct {
	base   []Row // what SQL says
	hide   bool  // the base is deleted
	put    bool  // a row exists whatever the base says
	values map[string][]string
	last   int64 // the newest write in it
}

func (o *overlay) apply(w Write) {
	o.last = max(o.last, w.ID)
	switch w.Kind {
	case Delete:
		o.hide, o.put, o.values = true, false, nil
		return
	case Put:
		o.put = true
	}
	if o.values == nil {
		o.values = make(map[string][]string)
	}
	for _, v := range w.Values {
		o.values[v.Column] = v.Values
	}
}

// merge gives the rows that readers see.
func (o *overlay) merge(t *Table) []Row {
	var rows []Row
	if !o.hide {
		rows = o.base
	}
	if len(rows) == 0 && o.put {
		rows = []Row{{}}
	}
	names := make([]string, 0, len(o.values))
	for name := range o.values {
		names = append(names, name)
	}
	slices.Sort(names) // so that columns beyond the table's come in one order
	t.learn(names)
	skip := make(map[int]bool, len(names))
	for _, name := range names {
		skip[t.columns.exact[name]] = true
	}
	b := NewBuilder(t.columns)
	out := make([]Row, 0, len(rows))
	for _, r := range rows {
		b.copyRow(r, skip)
		for name, values := range o.values {
			for _, v := range values {
				b.Add(t.columns.exact[name], v)
			}
		}
		out = append(out, b.Row())
	}
	return out
}

// Lay publishes writes of Asterisk over what SQL says.
func (d *Directory) Lay(writes []Write) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.generation++
	edited := make(map[string]*Table)
	for _, w := range writes {
		if w.Kind == Append {
			continue
		}
		t := edited[w.Family]
		if t == nil {
			t = d.table(w.Family).forEdit()
			edited[w.Family] = t
		}
		key := keyText(w.Key)
		o := d.overlays[w.Family][key]
		if o == nil {
			o = &overlay{base: t.Bucket(w.Key)}
			if d.overlays[w.Family] == nil {
				d.overlays[w.Family] = make(map[string]*overlay)
			}
			d.overlays[w.Family][key] = o
		}
		o.apply(w)
		if t.replace(d.generation, w.Key, o.merge(t)) > 0 {
			d.note(t, key)
		}
	}
	if len(edited) > 0 {
		d.swap(slices.Collect(maps.Values(edited))...)
	}
}

// Lift ends the overlays of keys whose writes up to the given one are in SQL
// and have been read back from there (so the base says what they said).
func (d *Directory) Lift(name string, keys [][]string, upTo int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.table(name).forEdit()
	d.generation++
	for _, key := range keys {
		text := keyText(key)
		o := d.overlays[name][text]
		if o == nil || o.last > upTo {
			continue
		}
		delete(d.overlays[name], text)
		if t.replace(d.generation, key, o.base) > 0 {
			d.note(t, text)
			d.noteLifted(name)
		}
	}
	d.swap(t)
}

// Overlaid is the number of buckets with unflushed writes.
func (d *Directory) Overlaid() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, of := range d.overlays {
		n += len(of)
	}
	return n
}

// Decode gives the decoded texts of a row key of the change log.
func Decode(f *family.Family, rowKey string) ([]string, error) {
	texts, err := family.SplitKey(rowKey)
	if err != nil {
		return nil, err
	}
	for i, text := range texts {
		if i < len(f.Key) && f.Split(f.Key[i]) {
			texts[i] = joined(f.FromSQL(f.Key[i], text))
		}
	}
	return texts, nil
}

// Encode gives the texts of a decoded key as SQL holds them.
func Encode(f *family.Family, key []string) []string {
	out := make([]string, len(key))
	for i, text := range key {
		out[i] = text
		if f.Split(f.Key[i]) {
			out[i] = family.Encode(text)
		}
	}
	return out
}

func joined(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	var out []byte
	for i, v := range values {
		if i > 0 {
			out = append(out, ';')
		}
		out = append(out, v...)
	}
	return string(out)
}
