package bench

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
)

// target is a plan's URL taken apart. The name is resolved once, by the parent,
// so that no client process measures the resolver.
type target struct {
	address netip.AddrPort
	host    string // for the header Host
	path    string // with the query, if the URL has one
}

func newTarget(ctx context.Context, rawURL, suffix string) (target, error) {
	parsed, err := parseURL(rawURL, suffix)
	if err != nil {
		return target{}, err
	}
	ip, err := resolve(ctx, parsed.Hostname())
	if err != nil {
		return target{}, fmt.Errorf("url %q: %w", rawURL, err)
	}
	port, err := portOf(parsed)
	if err != nil {
		return target{}, fmt.Errorf("url %q: %w", rawURL, err)
	}
	return target{
		address: netip.AddrPortFrom(ip, port),
		host:    parsed.Host,
		path:    parsed.RequestURI(),
	}, nil
}

// parseURL appends the suffix of a door and finds the faults that need no
// network to be found.
func parseURL(rawURL, suffix string) (*url.URL, error) {
	parsed, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	if parsed.Scheme != "http" || parsed.Hostname() == "" {
		return nil, fmt.Errorf("url %q: only http://HOST[:PORT]/PATH can be measured", rawURL)
	}
	if _, err := portOf(parsed); err != nil {
		return nil, fmt.Errorf("url %q: %w", rawURL, err)
	}
	if suffix == "" {
		return parsed, nil
	}
	// A verb would land in the query, as it does with Asterisk.
	if parsed.RawQuery != "" {
		return nil, fmt.Errorf("url %q: a base URL has no query; leave out everything from the ?", rawURL)
	}
	return parsed.JoinPath(suffix), nil
}

func portOf(address *url.URL) (uint16, error) {
	text := address.Port()
	if text == "" {
		return 80, nil
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 0 {
		return 0, fmt.Errorf("port %s is not between 1 and 65535", text)
	}
	return uint16(port), nil
}

// resolve takes IPv4 first, since "localhost" has both and the doors bind to
// 127.0.0.1 unless told otherwise.
func resolve(ctx context.Context, host string) (netip.Addr, error) {
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netip.Addr{}, err
	}
	for _, candidate := range found {
		if candidate.Unmap().Is4() {
			return candidate.Unmap(), nil
		}
	}
	return found[0], nil
}
