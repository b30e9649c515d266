package directory

import "strings"

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

// digest sums up FNV-1a of each column's pairs in the row's curl form, stirred so
// that sums don't cancel. The order of columns does not count: those beyond the
// table's stand in the order in which a node met them.
func (r Row) digest() uint64 {
	const start, prime = 14695981039346656037, 1099511628211
	var sum uint64
	name, h := "", uint64(start)
	for curl := r.Curl(); curl != ""; {
		var pair string
		pair, curl, _ = strings.Cut(curl, "&")
		if next, _, _ := strings.Cut(pair, "="); next != name {
			sum += stir(h)
			name, h = next, start
		}
		for i := range len(pair) {
			h = (h ^ uint64(pair[i])) * prime
		}
	}
	return stir(sum + stir(h))
}

func stir(h uint64) uint64 {
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return h ^ h>>32
}
