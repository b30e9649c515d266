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

// Order says what set is wanted.
type Order struct {
	Version    int    // of Asterisk
	Engine     string // curl
	URL        string // of Asterism's Asterisk-facing door, without a path
	SystemName string // of this Asterisk, unlike any other's
	SIP        string // address and port for SIP
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,255}$`)

// Check tells all that is wrong with an order.
func (o Order) Check() error {
	return errors.Join(o.checkVersion(), o.checkEngine(), o.checkURL(), o.checkNames())
}

func (o Order) checkVersion() error {
	if slices.Contains(versions, o.Version) {
		return nil
	}
	return &failure.Error{Kind: failure.Invalid, Field: "asterisk", Message: fmt.Sprintf("no set for Asterisk %d", o.Version), Hint: "--asterisk 16 or --asterisk 22; for 18 take 16, for 20, 21 and 23 take 22"}
}

func (o Order) checkEngine() error {
	switch o.Engine {
	case "curl":
		return nil
	case "native":
		return &failure.Error{Kind: failure.Invalid, Field: "engine", Message: "the engine native comes with the Asterisk module, which is not there yet", Hint: "--engine curl"}
	}
	return &failure.Error{Kind: failure.Invalid, Field: "engine", Message: fmt.Sprintf("no engine %q", o.Engine), Hint: "--engine curl"}
}

func (o Order) checkURL() error {
	const most = 200 // Asterisk keeps 255 bytes with the family
	bad := func(why string) error {
		return &failure.Error{Kind: failure.Invalid, Field: "url", Message: fmt.Sprintf("the URL %q %s", o.URL, why), Hint: "--url http://127.0.0.1:8640"}
	}
	at, err := url.Parse(o.URL)
	switch {
	case err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "":
		return bad("is no http URL")
	case at.Path != "" || at.RawQuery != "" || at.Fragment != "":
		return bad("has more than a host and a port")
	case strings.ContainsAny(o.URL, ",;\"${}[]()\\ \t\r\n") && !plainIPv6(at):
		return bad("has a character that Asterisk takes for its own")
	case len(o.URL) > most:
		return bad(fmt.Sprintf("is longer than %d bytes", most))
	}
	return nil
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
