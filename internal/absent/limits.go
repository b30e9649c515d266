package absent

// Limits of what is remembered, about 800 KB in all; docs/limits.md says what
// happens past each.
const (
	MaxClients    = 64  // addresses with counts of their own
	KeysPerClient = 32  // in a minute
	MaxText       = 128 // bytes of a question as it is shown
)
