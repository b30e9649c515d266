package directory

import (
	"encoding/binary"
	"strings"
	"unsafe"
)

// Row is one immutable row: a pointer to its block. The zero Row has no values.
//
// Layout of the block, little endian:
//
//	narrow: uint16 count | uint16 size | uint16 end of curl form | count * (column, length uint8, start uint16)
//	wide:   uint16 count|wide | uint16 0 | uint32 size | uint32 end | count * (uint16 column, uint32 start, uint32 length)
//	then the curl form, then the plain copies of values that escaping changed.
//
// Narrow serves nearly all rows: four bytes a value, which at a million
// subscribers is what keeps a row within its memory budget (design: 1 KB for
// endpoint, auth, aor and number together). Wide serves blocks of 64 KiB and
// more, values of 256 bytes and more, and columns from the 256th on.
//
// One word, and no length beside it, so that the entries of an index are half as
// large: nine of them with their hashes fit in two cache lines (DESIGN.md). Only
// this file looks into a block without bounds, and only [Builder] makes one.
type Row struct{ block *byte }

const (
	wideFlag    = 1 << 15
	pivotFlag   = 1 << 14
	countMask   = pivotFlag - 1
	narrowHead  = 6
	narrowEntry = 4
	wideHead    = 12
	wideEntry   = 10
	// ordinalColumn tells rows apart that are equal in every value; it is
	// never part of an answer.
	ordinalColumn = 0xFFFF
)

// rowOfBlock gives the row of a block that the builder has finished; it copies.
func rowOfBlock(block []byte) Row { return Row{unsafe.StringData(string(block))} }

func (r Row) u8(at int) int { return int(*(*byte)(unsafe.Add(unsafe.Pointer(r.block), at))) }

func (r Row) u16(at int) int {
	b := (*[2]byte)(unsafe.Add(unsafe.Pointer(r.block), at))
	return int(b[0]) | int(b[1])<<8
}

func (r Row) u32(at int) int {
	b := (*[4]byte)(unsafe.Add(unsafe.Pointer(r.block), at))
	return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 | int(b[3])<<24
}

// slice gives a part of the block.
func (r Row) slice(start, length int) string {
	return unsafe.String((*byte)(unsafe.Add(unsafe.Pointer(r.block), start)), length)
}

// bytes is the whole block: two rows are the same when these are.
func (r Row) bytes() string {
	switch {
	case r.block == nil:
		return ""
	case r.wide():
		return r.slice(0, r.u32(4))
	}
	return r.slice(0, r.u16(2))
}

func (r Row) equal(other Row) bool {
	return r.block == other.block || r.bytes() == other.bytes()
}

// Len is the number of values, several values of one column counted each.
func (r Row) Len() int {
	if r.block == nil {
		return 0
	}
	return r.u16(0) & countMask
}

func (r Row) wide() bool { return r.u16(0)&wideFlag != 0 }

// At gives the i-th value and the position of its column.
func (r Row) At(i int) (column int, value string) {
	if r.wide() {
		at := wideHead + i*wideEntry
		return r.u16(at), r.slice(r.u32(at+2), r.u32(at+6))
	}
	at := narrowHead + i*narrowEntry
	return r.u8(at), r.slice(r.u16(at+2), r.u8(at+1))
}

// Curl is the row as the curl wire answers it: name=value pairs joined by "&".
func (r Row) Curl() string {
	n := r.Len()
	if n == 0 {
		return ""
	}
	if r.wide() {
		start := wideHead + n*wideEntry
		return r.slice(start, r.u32(8)-start)
	}
	start := narrowHead + n*narrowEntry
	return r.slice(start, r.u16(4)-start)
}

// Value gives the first value of a column, "" when it has none.
func (r Row) Value(column int) string {
	if i := r.index(column); i >= 0 {
		_, value := r.At(i)
		return value
	}
	return ""
}

// index finds the first value of a column. Values lie in the order of columns,
// so the search for an absent one ends early.
func (r Row) index(column int) int {
	if r.block == nil {
		return -1
	}
	head := r.u16(0)
	count := head & countMask
	i := 0
	if head&wideFlag != 0 {
		for i < count && r.u16(wideHead+i*wideEntry) < column {
			i++
		}
		if i == count || r.u16(wideHead+i*wideEntry) != column {
			return -1
		}
		return i
	}
	for i < count && r.u8(narrowHead+i*narrowEntry) < column {
		i++
	}
	if i == count || r.u8(narrowHead+i*narrowEntry) != column {
		return -1
	}
	return i
}

// Text gives the values of a column as one text, joined by ";".
func (r Row) Text(column int) string {
	i := r.index(column)
	if i < 0 {
		return ""
	}
	_, value := r.At(i)
	if i+1 == r.Len() {
		return value
	}
	if next, _ := r.At(i + 1); next != column {
		return value
	}
	return strings.Join(r.Values(column), ";")
}

// hasAll tells whether columns' texts are the given ones, without making them.
func (r Row) hasAll(columns []int, texts [][]byte) bool {
	head := r.u16(0)
	if head&wideFlag != 0 {
		return r.hasAllWide(columns, texts)
	}
	begin, end := narrowHead, narrowHead+head&countMask*narrowEntry
	at, before := begin, -1
	for i, column := range columns {
		if column < before {
			at = begin
		}
		for before = column; at < end && r.u8(at) < column; {
			at += narrowEntry
		}
		if at == end || r.u8(at) != column {
			if len(texts[i]) > 0 {
				return false
			}
			continue
		}
		text := r.slice(r.u16(at+2), r.u8(at+1))
		if at += narrowEntry; at < end && r.u8(at) == column { // several values
			text = r.Text(column)
		}
		if text != string(texts[i]) {
			return false
		}
	}
	return true
}

func (r Row) hasAllWide(columns []int, texts [][]byte) bool {
	for i, column := range columns {
		if r.Text(column) != string(texts[i]) {
			return false
		}
	}
	return true
}

// Values gives all values of a column.
func (r Row) Values(column int) []string {
	var out []string
	for i := range r.Len() {
		if c, value := r.At(i); c == column {
			out = append(out, value)
		}
	}
	return out
}

func (r Row) pivot() bool {
	return r.block != nil && r.u16(0)&pivotFlag != 0
}

// put writes the header and one table entry; used by the builder only.
func putHead(block []byte, count, end, flags int) {
	binary.LittleEndian.PutUint16(block, uint16(count|flags))
	if flags&wideFlag != 0 {
		binary.LittleEndian.PutUint32(block[4:], uint32(len(block)))
		binary.LittleEndian.PutUint32(block[8:], uint32(end))
		return
	}
	binary.LittleEndian.PutUint16(block[2:], uint16(len(block)))
	binary.LittleEndian.PutUint16(block[4:], uint16(end))
}

func putEntry(block []byte, i, flags int, column, start, length int) {
	if flags&wideFlag != 0 {
		at := wideHead + i*wideEntry
		binary.LittleEndian.PutUint16(block[at:], uint16(column))
		binary.LittleEndian.PutUint32(block[at+2:], uint32(start))
		binary.LittleEndian.PutUint32(block[at+6:], uint32(length))
		return
	}
	at := narrowHead + i*narrowEntry
	block[at], block[at+1] = uint8(column), uint8(length)
	binary.LittleEndian.PutUint16(block[at+2:], uint16(start))
}
