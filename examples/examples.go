// Package examples holds sources of the example programs, so that a binary can
// build one wherever a compiler is. It is not in the folder of such a program,
// because a package of Go without cgo may have no C beside it.
//
// The gSOAP client is under the GPL, since what gSOAP generates is; no Go code
// is linked with it. gsoap/README.md says how to build it by hand.
package examples

import "embed"

// GSOAP are the files that make builds the gSOAP client from, in the folder gsoap.
//
//go:embed gsoap/Makefile gsoap/LICENSE gsoap/*.c gsoap/*.h
var GSOAP embed.FS
