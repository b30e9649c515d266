package directory

// Digest sums up a table: the number of rows and a hash of them all that does
// not depend on their order. Rows that expired before now are left out, since
// each node sweeps them in its own time.
type Digest struct {
	Family string `json:"family"`
	Rows   int    `json:"rows"`
	Hash   uint64 `json:"-"`
}

// Digest gives the table's digest.
func (t *Table) Digest(now int64) Digest {
	d := Digest{Family: t.family.Name}
	t.Each(func(r Row) bool {
		if !t.expired(r, now) {
			d.Rows++
			d.Hash += r.digest()
		}
		return true
	})
	return d
}

// Add counts one more row, of a table that is not in memory (SQL read again).
func (d *Digest) Add(r Row) {
	d.Rows++
	d.Hash += r.digest()
}

// digest is FNV-1a of the row's curl form, stirred so that sums don't cancel.
func (r Row) digest() uint64 {
	h := uint64(14695981039346656037)
	curl := r.Curl()
	for i := range len(curl) {
		h = (h ^ uint64(curl[i])) * 1099511628211
	}
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return h ^ h>>32
}
