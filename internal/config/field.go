package config

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
)

// field is where the value of one key lives. target is a *string, a *[]string,
// a *[]netip.Prefix, or a *map[string]string or *map[string][]string whose
// keys the operator chooses (families.listing.TABLE).
type field struct {
	key    string
	target any
}

// fields lists the keys in the order in which the manual explains them.
func (c *Config) fields() []field {
	return []field{
		{"node.name", &c.Node.Name},
		{"node.state", &c.Node.State},
		{"store.url", &c.Store.URL},
		{"asterisk.listen", &c.Asterisk.Listen},
		{"asterisk.allow", &c.Asterisk.Allow},
		{"asterisk.require", &c.Asterisk.Require},
		{"asterisk.public_url", &c.Asterisk.PublicURL},
		{"asterisk.tls_cert", &c.Asterisk.TLSCert},
		{"asterisk.tls_key", &c.Asterisk.TLSKey},
		{"asterisk.client_ca", &c.Asterisk.ClientCA},
		{"people.listen", &c.People.Listen},
		{"people.allow", &c.People.Allow},
		{"agi.listen", &c.AGI.Listen},
		{"agi.allow", &c.AGI.Allow},
		{"families.extra", &c.Families.Extra},
		{"families.listing", &c.Families.Listing},
		{"families.index", &c.Families.Index},
		{"tables", &c.Tables},
	}
}

// fields lists the keys of the client called name.
func (c *Client) fields(name string) []field {
	prefix := "clients." + name + "."
	return []field{
		{prefix + "networks", &c.Networks},
		{prefix + "user", &c.User},
		{prefix + "password_file", &c.PasswordFile},
		{prefix + "certificate", &c.Certificate},
		{prefix + "tables", &c.Tables},
	}
}

// Keys returns the name of every value of c, in the order in which the manual
// explains them; names that the operator chose are sorted. A table without
// entries has no key.
func (c Config) Keys() []string {
	fields := c.fields()
	for name, client := range inOrder(c.Clients) {
		fields = append(fields, client.fields(name)...)
	}
	var keys []string
	for _, f := range fields {
		keys = append(keys, f.keys()...)
	}
	return keys
}

// Origin returns where the value of key comes from: "default", or file and
// line, such as "asterism.toml:12".
func (c Config) Origin(key string) string {
	if line, set := c.lines[key]; set {
		return fmt.Sprintf("%s:%d", c.file, line)
	}
	return "default"
}

func (f field) keys() []string {
	var names []string
	switch target := f.target.(type) {
	case *string, *[]string, *[]netip.Prefix:
		return []string{f.key}
	case *map[string]string:
		names = slices.Sorted(maps.Keys(*target))
	case *map[string][]string:
		names = slices.Sorted(maps.Keys(*target))
	default:
		panic(fmt.Sprintf("config: key %s has a field of type %T", f.key, f.target))
	}
	for i, name := range names {
		names[i] = f.key + "." + name
	}
	return names
}

// open tells whether the operator chooses the names below the field's key.
func (f field) open() bool {
	switch f.target.(type) {
	case *map[string]string, *map[string][]string:
		return true
	}
	return false
}
