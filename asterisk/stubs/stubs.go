// Package stubs holds the make rules by which gSOAP makes stubs from Asterism's WSDL,
// for the Asterisk module and for examples/gsoap, so that a binary can build the
// example wherever a compiler is. It is not in the module's folder, because a package
// of Go without cgo may have no C beside it.
package stubs

import "embed"

// Rules is stubs.mk, which the Makefiles include as ../stubs/stubs.mk and the like.
//
//go:embed stubs.mk
var Rules embed.FS
