package access

import (
	"net/netip"
	"testing"
)

func TestNetworksContain(t *testing.T) {
	n := Networks{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("fe80::/10")}
	f := func(address string, want bool) {
		t.Helper()
		if got := n.Contain(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	f("192.0.2.0", true)
	f("192.0.2.255", true)
	f("::ffff:192.0.2.7", true)
	f("2001:db8:1::", true)
	f("fe80::1%eth0", true)
	f("192.0.3.0", false)
	f("127.0.0.1", false)
	f("::1", false)
	f("::192.0.2.7", false)
	f("2001:db9::", false)
	if n.Contain(netip.Addr{}) {
		t.Error("no address is in a network")
	}
}
