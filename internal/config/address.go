package config

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// address is a host:port to listen on. ip is invalid for a host name, and the
// unspecified address for an empty host.
type address struct {
	host string
	ip   netip.Addr
	port uint16
}

// parseAddress returns what is wrong with text, or nothing.
func parseAddress(text string) (a address, problem string) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return address{}, quoted(text) + " is not host:port"
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return address{}, "port " + quoted(port) + " is not a number from 0 to 65535"
	}
	a = address{host: strings.ToLower(host), port: uint16(number)}
	switch ip, err := netip.ParseAddr(host); {
	case err == nil:
		a.ip = ip.Unmap()
	case host == "":
		a.ip = netip.IPv6Unspecified()
	case a.host == "localhost":
		a.ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	case !hostNamed(host):
		return address{}, quoted(host) + " is neither an IP address nor a host name"
	}
	return a, ""
}

// hostNamed refuses a name whose last label is a number: it is a mistyped IP address.
func hostNamed(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, label := range labels {
		if !bare(label) {
			return false
		}
	}
	return strings.ContainsFunc(labels[len(labels)-1], notDigit)
}

// loopback tells whether only this machine can reach a. A host name other than
// localhost may resolve to anything.
func (a address) loopback() bool { return a.ip.IsLoopback() }

// overlaps tells whether the second of two listeners could not be opened.
func (a address) overlaps(b address) bool {
	if a.port == 0 || a.port != b.port {
		return false
	}
	if a.ip.IsUnspecified() || b.ip.IsUnspecified() {
		return true
	}
	if a.ip.IsValid() || b.ip.IsValid() {
		return a.ip == b.ip
	}
	return a.host == b.host
}

// parseNetwork reads CIDR or a plain address, which is a network of one. An
// IPv4 network in IPv6 form becomes plain IPv4, as the addresses of callers do.
func parseNetwork(text string) (netip.Prefix, error) {
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" {
		ip = ip.Unmap()
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	if ip := network.Addr(); ip.Is4In6() && network.Bits() >= 96 {
		network = netip.PrefixFrom(ip.Unmap(), network.Bits()-96)
	}
	return network.Masked(), nil
}
