package directory

import (
	"encoding/binary"
	"slices"
)

// hashTable is a persistent hash table of rows (extendible hashing): the top bits
// of a 32-bit hash name a slot, slots lead to leaves of up to leafSize rows. A
// full leaf splits in two by the next bit; when rows have become many for the
// slots, these double. So a search costs three cache misses: slot, leaf, row.
//
// A change copies the list of chunks (at a million rows 4 KB), one chunk of slots
// and one leaf. All carry the generation of the edit that made them: an edit
// changes in place what it made itself and copies what it found.
type hashTable struct {
	chunks     []chunk
	generation uint64 // of the list of chunks
	depth      uint8  // there are 1<<depth slots
	count      int
}

const (
	chunkBits = 9
	leafSize  = 8
	// fullSlots is how many rows a slot has on average before slots double; a
	// leaf that is full earlier grows a chain.
	fullSlots = 5
	maxDepth  = 28
)

type chunk struct {
	generation uint64
	slots      *[1 << chunkBits]*leaf
}

// leaf holds rows whose hashes share their first depth bits; it fills
// 1<<(table depth - depth) slots. It is 128 bytes, two cache lines side by side,
// which processors fetch together. A search compares all tags at once (match),
// so it does not branch until it has its row.
type leaf struct {
	tags       [leafSize]byte // of a row's hash, see tagOf; 0 where there is none
	hashes     [leafSize]uint32
	many       uint8 // bit i: more rows with the key of row i live beside the table
	count      uint8
	depth      uint8
	generation uint64
	next       *leaf // the rows that had no room
	rows       [leafSize]Row
}

// tagOf gives what a leaf keeps of a hash for match: bits that name no slot.
func tagOf(hash uint32) byte { return byte(hash) | 0x80 }

// match gives a word with the highest bit of byte i set where tag i is the
// hash's. Now and then it sets a bit too many, never one too few.
func (l *leaf) match(hash uint32) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	x := binary.LittleEndian.Uint64(l.tags[:]) ^ ones*uint64(tagOf(hash))
	return (x - ones) &^ x & tops
}

// find gives the leaf that rows of a hash live in, or nil.
func (t *hashTable) find(hash uint32) *leaf {
	if len(t.chunks) == 0 {
		return nil
	}
	at := t.slot(hash)
	return t.chunks[at>>chunkBits].slots[at&(1<<chunkBits-1)]
}

// slot gives the number of a hash's slot. (Go would make a branch of a shift
// by 32; depth is never above 63.)
func (t *hashTable) slot(hash uint32) uint64 { return uint64(hash) << (t.depth & 63) >> 32 }

// own makes the list of chunks the edit's own.
func (t *hashTable) own(generation uint64) {
	if t.generation != generation {
		t.chunks = slices.Clone(t.chunks)
		t.generation = generation
	}
}

func (l *leaf) owned(generation uint64) *leaf {
	if l.generation == generation {
		return l
	}
	out := *l
	out.generation = generation
	return &out
}

// place puts a leaf into all slots that it fills; hash is that of any row in it.
func (t *hashTable) place(generation uint64, hash uint32, l *leaf) {
	t.own(generation)
	width := uint32(1) << (t.depth - l.depth)
	from := hash >> (32 - t.depth) &^ (width - 1)
	for at := from; at < from+width; at++ {
		c := &t.chunks[at>>chunkBits]
		if c.generation != generation {
			slots := *c.slots
			c.generation, c.slots = generation, &slots
		}
		c.slots[at&(1<<chunkBits-1)] = l
	}
}

// insert adds a row under a hash; it does not look for an equal one.
func (t *hashTable) insert(generation uint64, hash uint32, row Row) {
	if len(t.chunks) == 0 {
		t.chunks = []chunk{{generation, new([1 << chunkBits]*leaf)}}
		t.generation = generation
		t.place(generation, hash, &leaf{generation: generation})
	}
	t.count++
	for {
		l := t.find(hash)
		switch {
		case l.count < leafSize:
			own := l.owned(generation)
			own.append(hash, row, false)
			if own != l {
				t.place(generation, hash, own)
			}
			return
		case l.depth < t.depth:
			t.split(generation, hash, l)
		case t.count > fullSlots<<t.depth && t.depth < maxDepth:
			t.double(generation)
		default:
			t.place(generation, hash, l.chain(generation, hash, row, false))
			return
		}
	}
}

func (l *leaf) append(hash uint32, row Row, many bool) {
	l.tags[l.count], l.hashes[l.count], l.rows[l.count] = tagOf(hash), hash, row
	l.many &^= 1 << l.count
	if many {
		l.many |= 1 << l.count
	}
	l.count++
}

// chain adds a row, beside the leaf when it is full.
func (l *leaf) chain(generation uint64, hash uint32, row Row, many bool) *leaf {
	l = l.owned(generation)
	if l.count < leafSize {
		l.append(hash, row, many)
		return l
	}
	if l.next == nil {
		l.next = &leaf{generation: generation, depth: l.depth}
	}
	l.next = l.next.chain(generation, hash, row, many)
	return l
}

// split divides a leaf in two by its next bit.
func (t *hashTable) split(generation uint64, hash uint32, old *leaf) {
	depth := old.depth
	var halves [2]*leaf
	for i := range halves {
		halves[i] = &leaf{generation: generation, depth: depth + 1}
	}
	bit := uint32(1) << (31 - depth)
	for l := old; l != nil; l = l.next {
		for i := range int(l.count) {
			into := &halves[l.hashes[i]>>(31-depth)&1]
			*into = (*into).chain(generation, l.hashes[i], l.rows[i], l.many&(1<<i) != 0)
		}
	}
	t.place(generation, hash&^bit, halves[0])
	t.place(generation, hash|bit, halves[1])
}

// double makes two slots of each.
func (t *hashTable) double(generation uint64) {
	slots := 1 << t.depth
	chunks := make([]chunk, max(1, 2*slots>>chunkBits))
	for i := range chunks {
		chunks[i] = chunk{generation, new([1 << chunkBits]*leaf)}
	}
	for at := range 2 * slots {
		from := at / 2
		chunks[at>>chunkBits].slots[at&(1<<chunkBits-1)] = t.chunks[from>>chunkBits].slots[from&(1<<chunkBits-1)]
	}
	t.chunks, t.generation = chunks, generation
	t.depth++
}

// change puts what edit makes of the leaf of a hash in its place. The leaf must
// exist.
func (t *hashTable) change(generation uint64, hash uint32, edit func(*leaf) *leaf) {
	l := t.find(hash)
	if out := edit(l); out != l {
		t.place(generation, hash, out)
	}
}

// remove takes the i-th row out; the last one fills its place.
func (l *leaf) remove(i int) {
	last := int(l.count) - 1
	l.tags[i], l.hashes[i], l.rows[i] = l.tags[last], l.hashes[last], l.rows[last]
	l.many &^= 1 << i
	if l.many&(1<<last) != 0 {
		l.many = l.many&^(1<<last) | 1<<i
	}
	l.tags[last], l.rows[last] = 0, Row{}
	l.count--
}

// each yields every row of the table once, in no order.
func (t *hashTable) each(yield func(Row) bool) bool {
	var last *leaf
	for at := range 1 << t.depth {
		if len(t.chunks) == 0 {
			break
		}
		l := t.chunks[at>>chunkBits].slots[at&(1<<chunkBits-1)]
		if l == last {
			continue
		}
		for last = l; l != nil; l = l.next {
			for _, row := range l.rows[:l.count] {
				if !yield(row) {
					return false
				}
			}
		}
	}
	return true
}
