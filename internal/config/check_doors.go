package config

import (
	"fmt"
	"net/netip"
	"net/url"
)

func (r *reader) checkAsterisk() {
	door := r.config.Asterisk
	if door.Require != RequireLenient && door.Require != RequireStrict {
		r.fault("asterisk.require", quoted(door.Require)+" is neither lenient nor strict", "write lenient or strict")
	}
	if door.PublicURL != "" {
		if problem := webProblem(door.PublicURL); problem != "" {
			r.fault("asterisk.public_url", problem, `write it like "http://asterism.example.net:8640/soap", or "" for what the client asked`)
		}
	}
	const cert, key, ca = "asterisk.tls_cert", "asterisk.tls_key", "asterisk.client_ca"
	switch {
	case door.TLSCert != "" && door.TLSKey == "":
		r.missing(r.config.lines[cert], key, "is missing beside "+cert, "name the file that holds the certificate's private key")
	case door.TLSCert == "" && door.TLSKey != "":
		r.missing(r.config.lines[key], cert, "is missing beside "+key, "name the file that holds the key's certificate")
	case door.TLSCert == "" && door.ClientCA != "" && !r.faulted[cert]:
		r.fault(ca, "asks for client certificates where there is no https", "set "+cert+" and "+key+" as well")
	}
}

// webProblem returns what keeps text from being an address that may be published.
func webProblem(text string) string {
	parsed, err := url.Parse(text)
	switch {
	case err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https"):
		return quoted(text) + " is not an http or https URL"
	case parsed.User != nil:
		return quoted(text) + " names a user, and everybody can read it in the WSDL"
	}
	return ""
}

// checkListeners makes sure that all doors can be opened side by side, and that
// none is opened to the network by accident.
func (r *reader) checkListeners() {
	doors := []struct {
		name   string
		listen string
		allow  []netip.Prefix
	}{
		{"asterisk", r.config.Asterisk.Listen, r.config.Asterisk.Allow},
		{"people", r.config.People.Listen, r.config.People.Allow},
		{"agi", r.config.AGI.Listen, r.config.AGI.Allow},
	}
	addresses := make([]address, len(doors))
	for i, door := range doors {
		listen, allow := door.name+".listen", door.name+".allow"
		a, problem := parseAddress(door.listen)
		if problem != "" {
			r.fault(listen, problem, "write it like 127.0.0.1:8640")
			continue
		}
		if !a.loopback() && len(door.allow) == 0 {
			line := max(r.config.lines[listen], r.config.lines[allow])
			r.missing(line, allow, fmt.Sprintf("names no network, but %s = %s is open to more than this machine", listen, quoted(door.listen)),
				`list who may connect, as in allow = ["10.1.0.0/16"]`)
		}
		for j, other := range addresses[:i] {
			if a.overlaps(other) {
				r.overlap(doors[j].name+".listen", listen)
			}
		}
		addresses[i] = a
	}
}

// overlap blames the later of two listeners, or the one that the file sets where
// the other is a default.
func (r *reader) overlap(one, two string) {
	if r.config.lines[one] > r.config.lines[two] {
		one, two = two, one
	}
	r.fault(two, "takes the port of "+one, "give each its own port")
}
