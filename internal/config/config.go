package config

import (
	"net/netip"
	"os"
)

// Config is all that an operator can set. Build it with [Default], [Load] or
// [Parse]; it is read-only from then on.
type Config struct {
	Node     Node
	Store    Store
	Asterisk Asterisk
	People   People
	AGI      AGI
	Families Families

	// Tables gives another name to a table of Asterism's own: own name -> name
	// in the database.
	Tables map[string]string

	// Clients says who may ask, by client name.
	Clients map[string]Client

	file  string         // name of the file as faults and origins print it
	lines map[string]int // key -> line, for the keys that the file sets
}

// Node is this server among its peers.
type Node struct {
	Name  string // unique among the nodes of one store, at most 64 characters
	State string // absolute path of the directory for spool, image, lock and control socket
}

// Asterisk is the HTTP door for Asterisk: curl wire, SOAP and /lookup.
type Asterisk struct {
	Listen    string         // host:port
	Allow     []netip.Prefix // who may connect; never empty when Listen is wider than loopback
	Require   string         // RequireLenient or RequireStrict
	PublicURL string         // soap:address in the WSDL; empty: what the client asked
	TLSCert   string         // path of a PEM file; set together with TLSKey
	TLSKey    string         // path of a PEM file
	ClientCA  string         // path of a PEM file; set: client certificates are wanted
}

// What the curl wire's `require` says of a column that the table lacks.
const (
	RequireLenient = "lenient" // fine
	RequireStrict  = "strict"  // refused
)

// People is the HTTP door for people and their tools: console, REST, metrics
// and health.
type People struct {
	Listen string
	Allow  []netip.Prefix
}

// AGI is the FastAGI door.
type AGI struct {
	Listen string
	Allow  []netip.Prefix
}

// Families adjusts which tables Asterism serves, and how.
type Families struct {
	Extra   []string            // tables beyond the reference schema that are families too
	Listing map[string]string   // table -> ListAll, ListActive, ListAsked or ListNone
	Index   map[string][]string // table -> one more index each, columns joined by `,` without blanks
}

// Which rows of a family a question for all rows returns.
const (
	ListAll    = "all"
	ListActive = "active" // those with a live contact
	ListAsked  = "asked"  // of endpoints: as the AORs, but of an AOR that is asked about only its own
	ListNone   = "none"
)

// Client is one asker: how it is recognised and which tables are its own.
type Client struct {
	Networks     []netip.Prefix
	User         string
	PasswordFile string            // path; the password itself is never part of a Config
	Certificate  string            // subject of a client certificate
	Tables       map[string]string // family -> table that holds this client's rows
}

// Default returns the configuration of a node without a file: everything on
// loopback, SQLite in /var/lib/asterism.
func Default() Config {
	return Config{
		Node:  Node{Name: hostName(), State: "/var/lib/asterism"},
		Store: Store{URL: "sqlite:/var/lib/asterism/asterism.db"},
		Asterisk: Asterisk{
			Listen:  "127.0.0.1:8640",
			Require: RequireLenient,
		},
		People:   People{Listen: "127.0.0.1:8641"},
		AGI:      AGI{Listen: "127.0.0.1:4573"},
		Families: Families{Listing: map[string]string{"ps_endpoints": ListAll}},
		Tables:   map[string]string{"numbers": "numbers"},
	}
}

// hostName falls back to a fixed name, so that a machine without one still
// starts as a single node.
func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return name
}
