//go:build race

package server

// memoryFactor is how much more memory a process may hold than it uses: the race
// detector keeps eight bytes for each that was ever touched, and never gives them back.
const memoryFactor = 12
