// Package restapi is the JSON API for people's programs, under /api/v1/ of the
// people-facing listener.
package restapi
