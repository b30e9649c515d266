// Package config turns the TOML file of a node into a [Config]: every key of
// the file with its default, its checks, and the place that it came from.
//
// Words:
//
//   - key: the dotted name of one value, such as asterisk.listen or
//     clients.berlin.user; the name that faults and origins use.
//   - setting: one key that the file gives, with its line.
//   - field: the place in a Config where the value of a key lives. The list of
//     fields in field.go is the only list of keys; reading, [Config.Keys] and
//     the tests all follow it.
//   - fault: one thing wrong with the file. A [Fault] says where it is, what is
//     wrong and what to write instead.
//   - origin: "default", or the file and the line that set the value.
//
// Invariants:
//
//   - A Config that Parse returned satisfies every rule in check.go and is not
//     modified afterwards. A reload parses anew.
//   - All faults of a file are reported together. Only text that is not TOML
//     has one fault, because what follows it cannot be trusted.
//   - A key that nobody knows is a fault, so a typing error never leaves a
//     default silently in force.
//   - No secret is read into a Config except a password inside store.url, and
//     neither Store's text form nor a fault ever prints that one.
package config
