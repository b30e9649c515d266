package kit

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"asterism/internal/failure"
)

// Versions of Asterisk that there is a set for.
var versions = []int{16, 22}

// Engines: how Asterisk asks.
const (
	Curl   = "curl"   // stock res_config_curl
	Native = "native" // our module res_config_asterism
)

// Order says what set is wanted.
type Order struct {
	Version    int      // of Asterisk
	Engine     string   // Curl or Native
	URLs       []string // of Asterism's Asterisk-facing doors, without a path; curl takes one, native several, the preferred one first
	SystemName string   // of this Asterisk, unlike any other's
	SIP        string   // address and port for SIP
}

// URL is the door that is asked first.
func (o Order) URL() string { return o.URLs[0] }

// Native tells whether our module asks.
func (o Order) Native() bool { return o.Engine == Native }

var plainName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,255}$`)

// Check tells all that is wrong with an order.
func (o Order) Check() error {
	return errors.Join(o.checkVersion(), o.checkEngine(), o.checkURLs(), o.checkNames())
}

func (o Order) checkVersion() error {
	if slices.Contains(versions, o.Version) {
		return nil
	}
	return &failure.Error{Kind: failure.Invalid, Field: "asterisk", Message: fmt.Sprintf("no set for Asterisk %d", o.Version), Hint: "--asterisk 16 or --asterisk 22; for 18 take 16, for 20, 21 and 23 take 22"}
}

func (o Order) checkEngine() error {
	if o.Engine == Curl || o.Engine == Native {
		return nil
	}
	return &failure.Error{Kind: failure.Invalid, Field: "engine", Message: fmt.Sprintf("no engine %q", o.Engine), Hint: "--engine curl or --engine native"}
}

func (o Order) checkURLs() error {
	bad := func(message, hint string) error {
		return &failure.Error{Kind: failure.Invalid, Field: "url", Message: message, Hint: hint}
	}
	switch {
	case len(o.URLs) == 0:
		return bad("no URL of a server", "--url http://127.0.0.1:8640")
	case len(o.URLs) > 1 && !o.Native():
		return bad(fmt.Sprintf("curl asks one address, not %d: a second one would be no failover", len(o.URLs)), "one --url, behind which the servers stand; or --engine native")
	}
	var faults []error
	for i, at := range o.URLs {
		if why := o.wrongURL(at); why != "" {
			faults = append(faults, bad(fmt.Sprintf("the URL %q %s", at, why), "--url http://127.0.0.1:8640"))
		} else if slices.Contains(o.URLs[:i], at) {
			faults = append(faults, bad(fmt.Sprintf("the URL %q is given twice", at), "each server once, the preferred one first"))
		}
	}
	return errors.Join(faults...)
}

// wrongURL tells what keeps Asterisk from asking at a URL; empty: nothing.
func (o Order) wrongURL(text string) string {
	const most = 200 // Asterisk keeps 255 bytes with the family
	at, err := url.Parse(text)
	switch {
	case err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "":
		return "is no http URL"
	case at.Path != "" || at.RawQuery != "" || at.Fragment != "":
		return "has more than a host and a port"
	case o.Native() && at.User != nil:
		return "has a user, for which the module has settings of its own: user and password_file in asterism.conf"
	case strings.ContainsAny(text, ",;\"${}[]()\\ \t\r\n") && !plainIPv6(at):
		return "has a character that Asterisk takes for its own"
	case len(text) > most:
		return fmt.Sprintf("is longer than %d bytes", most)
	}
	return ""
}

// plainIPv6 tells whether nothing but the address makes the brackets.
func plainIPv6(at *url.URL) bool {
	_, err := netip.ParseAddr(at.Hostname())
	return err == nil && at.User == nil && strings.Contains(at.Host, "[")
}

func (o Order) checkNames() error {
	var faults []error
	if !plainName.MatchString(o.SystemName) {
		faults = append(faults, &failure.Error{Kind: failure.Invalid, Field: "systemname", Message: fmt.Sprintf("the system name %q is not made of letters, digits, . _ and -", o.SystemName), Hint: "--systemname asterisk1"})
	}
	if _, err := netip.ParseAddrPort(o.SIP); err != nil {
		faults = append(faults, &failure.Error{Kind: failure.Invalid, Field: "sip", Message: fmt.Sprintf("%q is not ADDRESS:PORT for SIP", o.SIP), Hint: "--sip 0.0.0.0:5060"})
	}
	return errors.Join(faults...)
}
