package directory

import "slices"

// trie is a persistent hash table of rows: sixteen-way nodes over the bits of a
// 32-bit hash, highest first, with leaves of up to leafSize rows. Leaves split
// one bit at a time (extendible hashing within a node), so they stay about 70 %
// full at every size; that and inline row headers make about 37 bytes a row.
//
// Nodes and leaves carry the generation of the edit that made them: an edit
// changes in place what it made itself and copies what it found.
type trie struct {
	root *node
}

const (
	fanBits   = 4
	fan       = 1 << fanBits
	leafSize  = 15
	maxLevels = 32 / fanBits
)

type node struct {
	generation uint64
	nodes      [fan]*node
	leaves     [fan]*leaf
}

// leaf holds rows by hash. depth is how many of its node's hash bits it is
// specific to: it fills 1<<(fanBits-depth) slots there.
type leaf struct {
	generation uint64
	depth      uint8
	count      uint8
	many       uint16 // bit i: more rows with the key of row i live beside the trie
	hashes     [leafSize]uint32
	rows       [leafSize]Row
	next       *leaf // only on the last level, when one hash has too many rows
}

func slotOf(hash uint32, level int) int {
	return int(hash>>(32-fanBits*(level+1))) & (fan - 1)
}

// find gives the leaf that rows of a hash live in, or nil.
func (t *trie) find(hash uint32) *leaf {
	n := t.root
	for level := 0; n != nil; level++ {
		slot := slotOf(hash, level)
		if l := n.leaves[slot]; l != nil {
			return l
		}
		n = n.nodes[slot]
	}
	return nil
}

func (n *node) owned(generation uint64) *node {
	if n.generation == generation {
		return n
	}
	out := *n
	out.generation = generation
	return &out
}

func (l *leaf) owned(generation uint64) *leaf {
	if l.generation == generation {
		return l
	}
	out := *l
	out.generation = generation
	return &out
}

// place replaces a leaf in all slots of the node that it fills.
func (n *node) place(slot int, l *leaf) {
	width := 1 << (fanBits - l.depth)
	from := slot &^ (width - 1)
	for i := range width {
		n.leaves[from+i] = l
	}
}

// insert adds a row under a hash; it does not look for an equal one.
func (t *trie) insert(generation uint64, hash uint32, row Row) {
	if t.root == nil {
		t.root = &node{generation: generation}
	}
	t.root = t.root.insert(generation, 0, hash, row)
}

func (n *node) insert(generation uint64, level int, hash uint32, row Row) *node {
	n = n.owned(generation)
	slot := slotOf(hash, level)
	for {
		if child := n.nodes[slot]; child != nil {
			n.nodes[slot] = child.insert(generation, level+1, hash, row)
			return n
		}
		l := n.leaves[slot]
		switch {
		case l == nil:
			l = &leaf{generation: generation, depth: fanBits}
			l.append(hash, row)
			n.leaves[slot] = l
			return n
		case l.count < leafSize:
			l = l.owned(generation)
			l.append(hash, row)
			n.place(slot, l)
			return n
		case l.depth < fanBits:
			n.split(generation, slot, level)
		case level+1 < maxLevels:
			n.descend(generation, slot, level)
		default:
			n.place(slot, l.chain(generation, hash, row))
			return n
		}
	}
}

func (l *leaf) append(hash uint32, row Row) {
	l.hashes[l.count], l.rows[l.count] = hash, row
	l.many &^= 1 << l.count
	l.count++
}

// split divides a full leaf in two by the next bit of its slot.
func (n *node) split(generation uint64, slot, level int) {
	old := n.leaves[slot]
	depth := old.depth + 1
	zero := &leaf{generation: generation, depth: depth}
	one := &leaf{generation: generation, depth: depth}
	for i := range int(old.count) {
		into := zero
		if slotOf(old.hashes[i], level)>>(fanBits-depth)&1 == 1 {
			into = one
		}
		into.take(old, i)
	}
	base := slot &^ (1<<(fanBits-old.depth) - 1)
	n.place(base, zero)
	n.place(base+1<<(fanBits-depth), one)
}

// descend puts a node with the rows of a full leaf in the leaf's one slot.
func (n *node) descend(generation uint64, slot, level int) {
	old := n.leaves[slot]
	child := &node{generation: generation}
	all := &leaf{generation: generation}
	for i := range int(old.count) {
		all.take(old, i)
	}
	child.place(0, all)
	n.leaves[slot] = nil
	n.nodes[slot] = child
	child.split(generation, 0, level+1)
}

func (l *leaf) take(from *leaf, i int) {
	l.append(from.hashes[i], from.rows[i])
	if from.many&(1<<i) != 0 {
		l.many |= 1 << (l.count - 1)
	}
}

// chain adds a row where leaves can't split any more.
func (l *leaf) chain(generation uint64, hash uint32, row Row) *leaf {
	l = l.owned(generation)
	if l.next == nil {
		l.next = &leaf{generation: generation}
	}
	if l.next.count == leafSize {
		l.next = l.next.chain(generation, hash, row)
		return l
	}
	l.next = l.next.owned(generation)
	l.next.append(hash, row)
	return l
}

// change gives an owned copy of the leaf of a hash to edit, in place in the
// tree. The leaf must exist.
func (t *trie) change(generation uint64, hash uint32, edit func(*leaf) *leaf) {
	t.root = t.root.owned(generation)
	n := t.root
	for level := 0; ; level++ {
		slot := slotOf(hash, level)
		if l := n.leaves[slot]; l != nil {
			if out := edit(l); out != l {
				n.place(slot, out)
			}
			return
		}
		n.nodes[slot] = n.nodes[slot].owned(generation)
		n = n.nodes[slot]
	}
}

// remove takes the i-th row out; the last one fills its place.
func (l *leaf) remove(i int) {
	last := int(l.count) - 1
	l.hashes[i], l.rows[i] = l.hashes[last], l.rows[last]
	l.many &^= 1 << i
	if l.many&(1<<last) != 0 {
		l.many = l.many&^(1<<last) | 1<<i
	}
	l.rows[last] = Row{}
	l.count--
}

// each yields every row of the trie once, in no order.
func (t *trie) each(yield func(Row) bool) bool {
	return t.root == nil || t.root.each(yield)
}

func (n *node) each(yield func(Row) bool) bool {
	var last *leaf
	for slot := range fan {
		if child := n.nodes[slot]; child != nil && !child.each(yield) {
			return false
		}
		l := n.leaves[slot]
		if l == nil || l == last {
			continue
		}
		for last = l; l != nil; l = l.next {
			if !eachRow(l, yield) {
				return false
			}
		}
	}
	return true
}

func eachRow(l *leaf, yield func(Row) bool) bool {
	return !slices.ContainsFunc(l.rows[:l.count], func(r Row) bool { return !yield(r) })
}
