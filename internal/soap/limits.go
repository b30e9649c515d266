package soap

// Limits of one request. They are far above what SOAP toolkits send, security headers included, and low enough that
// a hostile body costs no more than an honest one of the same size.
const (
	// MaxDepth is how many elements may be open at once.
	MaxDepth = 32
	// MaxElements is how many elements a request may have; a field or a condition takes three or four of them.
	MaxElements = 4096
	// MaxAttributes is how many attributes one element may have, declarations of namespaces included.
	MaxAttributes = 64
	// MaxNamespaces is how many declarations of namespaces may be in scope at once.
	MaxNamespaces = 64
	// MaxName is the length of a name in bytes, prefix included.
	MaxName = 256
	// MaxNamespace is the length of the name of a namespace in bytes.
	MaxNamespace = 512
	// MaxText is the length in bytes of one element's text or of one attribute's value.
	MaxText = 64 << 10
	// MaxForeign is how many bytes a body in another encoding than UTF-8 may have; in UTF-8 it takes three times as
	// many at most. One in UTF-8 is not copied, so the transport alone limits it.
	MaxForeign = 1 << 20
	// MaxPartHeaders and MaxPartHeader are how many headers the part of a package may have, and how many bytes.
	MaxPartHeaders = 16
	MaxPartHeader  = 4 << 10
)

// keepArena is how much memory for unescaped or decoded text a Request keeps from one request to the next, so that one large
// request does not stay in a pool for ever.
const keepArena = 64 << 10
