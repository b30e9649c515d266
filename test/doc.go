// Package test looks at the project from outside: the direction of imports, the
// README's own commands, and the built binary under kills, restarts and load.
// Nothing here knows how Asterism is made inside.
package test
