package config

import (
	"net/url"
	"strings"
)

// Store is the database. URL may hold a password: print a Store, never its URL.
type Store struct {
	URL string // sqlite:PATH, postgres://..., postgresql://... or mysql://...
}

const secret = "[secret]"

// String returns the URL with every password in it replaced by [secret].
func (s Store) String() string { return redact(s.URL) }

// GoString keeps the password out of %#v too.
func (s Store) GoString() string { return "config.Store{" + redact(s.URL) + "}" }

// MarshalText keeps the password out of JSON and the log.
func (s Store) MarshalText() ([]byte, error) { return []byte(redact(s.URL)), nil }

// redact hides what could be a password in a URL, valid or not. Where a text
// can be read in two ways it hides too much rather than too little: a password
// with a raw @, / or ? in it is a common mistake, and its rest must not show.
func redact(text string) string {
	scheme, rest := splitScheme(text)
	if scheme == "sqlite:" {
		return text // a path; an @ in it is just a letter
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		if colon := strings.IndexByte(rest[:at], ':'); colon >= 0 {
			rest = rest[:colon+1] + secret + rest[at:]
		}
	}
	return scheme + redactQuery(rest)
}

// splitScheme cuts behind "name://", or behind "sqlite:", which has no host.
func splitScheme(text string) (scheme, rest string) {
	name, after, found := strings.Cut(text, ":")
	switch {
	case !found || strings.ContainsFunc(name, notLetter):
		return "", text
	case name == "sqlite":
		return name + ":", after
	case strings.HasPrefix(after, "//"):
		return name + "://", after[2:]
	}
	return "", text
}

// redactQuery hides parameters such as password and sslpassword.
func redactQuery(text string) string {
	path, query, found := strings.Cut(text, "?")
	if !found {
		return text
	}
	parameters := strings.Split(query, "&")
	for i, parameter := range parameters {
		name, _, _ := strings.Cut(parameter, "=")
		if secretName(name) {
			parameters[i] = name + "=" + secret
		}
	}
	return path + "?" + strings.Join(parameters, "&")
}

func secretName(name string) bool {
	plain, err := url.QueryUnescape(name)
	if err != nil {
		return true // unreadable, so perhaps a password
	}
	plain = strings.ToLower(plain)
	return strings.Contains(plain, "pass") || strings.Contains(plain, "pwd") || strings.Contains(plain, "secret")
}
