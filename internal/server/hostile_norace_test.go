//go:build !race

package server

// memoryFactor is how much more memory a process may hold than it uses.
const memoryFactor = 1
