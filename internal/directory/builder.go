package directory

import (
	"slices"

	"asterism/internal/family"
)

// Builder makes rows. It may be reused after Row or Reset; it is not for
// several goroutines at once.
type Builder struct {
	columns *Columns
	fields  []field
	values  []byte
	block   []byte

	slabs bool   // rows are put into slabs
	slab  []byte // the one that has room
}

// slabSize is how many bytes of rows live and die together.
const slabSize = 32 << 10

// field is one value added so far: values[start:end].
type field struct {
	column     int
	start, end int
}

// NewBuilder makes a builder for rows with the given columns.
func NewBuilder(columns *Columns) *Builder { return &Builder{columns: columns} }

// NewBulkBuilder makes a builder for the rows of a whole table, which are expected
// to stay for long. Their blocks share memory: a million objects less are a second
// less for each garbage collection. A row that goes frees nothing before its
// neighbours have gone too, so this is not for rows that come one by one.
func NewBulkBuilder(columns *Columns) *Builder { return &Builder{columns: columns, slabs: true} }

// Reset forgets what was added.
func (b *Builder) Reset(columns *Columns) {
	b.columns = columns
	b.fields, b.values = b.fields[:0], b.values[:0]
}

// Add adds one value of a column, in decoded form. Empty values are left out.
func (b *Builder) Add(column int, value string) {
	if value == "" {
		return
	}
	start := len(b.values)
	b.values = append(b.values, value...)
	b.fields = append(b.fields, field{column, start, len(b.values)})
}

// AddSQL adds a column's text as SQL holds it: several values split at ";",
// each decoded, unless the column is verbatim.
func (b *Builder) AddSQL(column int, text []byte) {
	if len(text) == 0 {
		return
	}
	if !b.columns.split[column] {
		start := len(b.values)
		b.values = append(b.values, text...)
		b.fields = append(b.fields, field{column, start, len(b.values)})
		return
	}
	for from := 0; from <= len(text); {
		to := from
		for to < len(text) && text[to] != ';' {
			to++
		}
		if to > from {
			start := len(b.values)
			b.values = family.AppendDecoded(b.values, text[from:to])
			b.fields = append(b.fields, field{column, start, len(b.values)})
		}
		from = to + 1
	}
}

// Row gives the row of what was added and resets the builder.
func (b *Builder) Row() Row { return b.build(0) }

func (b *Builder) build(flags int) Row {
	if !slices.IsSortedFunc(b.fields, byColumn) {
		slices.SortStableFunc(b.fields, byColumn)
	}
	head := narrowHead + len(b.fields)*narrowEntry
	if !b.isNarrow() {
		flags |= wideFlag
		head = wideHead + len(b.fields)*wideEntry
	}
	b.block = slices.Grow(b.block[:0], head)[:head]
	clear(b.block)
	written := 0
	for i, f := range b.fields {
		if f.column == ordinalColumn {
			continue
		}
		if written > 0 {
			b.block = append(b.block, '&')
		}
		written++
		value := b.values[f.start:f.end]
		b.block = append(b.block, b.columns.encodedName(f.column)...)
		b.block = append(b.block, '=')
		start := len(b.block)
		b.block = AppendEscaped(b.block, value)
		if len(b.block)-start == len(value) {
			putEntry(b.block, i, flags, f.column, start, len(value))
		}
	}
	end := len(b.block)
	for i, f := range b.fields {
		value := b.values[f.start:f.end]
		if f.column != ordinalColumn && escapedLen(value) == len(value) {
			continue
		}
		start := len(b.block)
		b.block = append(b.block, value...)
		putEntry(b.block, i, flags, f.column, start, len(value))
	}
	putHead(b.block, len(b.fields), end, flags)
	row := b.place()
	b.fields, b.values = b.fields[:0], b.values[:0]
	return row
}

// place gives the finished block memory of its own.
func (b *Builder) place() Row {
	if !b.slabs || len(b.block) > slabSize/16 {
		return rowOfBlock(b.block)
	}
	if cap(b.slab)-len(b.slab) < len(b.block) {
		b.slab = make([]byte, 0, slabSize)
	}
	start := len(b.slab)
	b.slab = append(b.slab, b.block...)
	return Row{&b.slab[start]}
}

// isNarrow tells whether the narrow layout has room for what was added.
func (b *Builder) isNarrow() bool {
	size := narrowHead + len(b.fields)*narrowEntry
	for _, f := range b.fields {
		if f.column > 0xFF || f.end-f.start > 0xFF {
			return false
		}
		size += 2 + len(b.columns.encodedName(f.column)) + 4*(f.end-f.start)
	}
	return size <= 0xFFFF
}

func byColumn(x, y field) int { return x.column - y.column }

// copyRow adds the values of a row, but for the columns that skip holds.
func (b *Builder) copyRow(r Row, skip map[int]bool) {
	for i := range r.Len() {
		if column, value := r.At(i); !skip[column] {
			b.Add(column, value)
		}
	}
}
