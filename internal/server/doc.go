// Package server assembles a node: store, directory, feed, spool, control and
// the doors; it listens, starts, hands over, reloads and drains. It is the only
// place that knows all parts.
//
// The order of a start: lock of the state folder, store, spool file, directory
// loaded, writes of the spool laid over it, listeners answer. Requests that come
// earlier wait in the listeners' backlog; they are never refused while systemd
// or the node before holds the sockets.
//
// The order of an end: no new connections, requests under way are answered, the
// spool is flushed to SQL as far as SQL answers, files closed.
//
// TLS lies above the sockets and below the limits: a listening socket that is
// handed over knows nothing of it (tls_listener.go). Who may ask is decided per
// request, by package access (access.go).
package server
