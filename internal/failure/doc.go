// Package failure has the kinds of error that a person or a program outside can
// act on, each with the field that is wrong, a hint that mends it, and a stable
// code. Doors map kinds to their protocol's way once.
package failure
