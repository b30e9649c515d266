package trace

// Limits of tracing; docs/limits.md says what happens past each.
const (
	MaxTracers    = 8    // at once on a node
	MaxQueue      = 512  // lines that wait for one reader
	MaxKey        = 1024 // bytes of the key to trace
	MaxShownValue = 200  // bytes of a value, and of a column's name
	MaxShownPart  = 1024 // bytes of a line's conditions, and of its fields written
	MaxShownRows  = 4096 // bytes of a line's answered rows
)
