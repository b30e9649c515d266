// Package module tests what the native module adds over stock drivers: its cache, its
// several servers, its memory, its commands. That everything that stock drivers do it
// does, too, is for package asterisk, which runs each of its tests on both.
//
// `make soak-module` runs the same with the sizes that docs/bench-module.md tells of.
package module
