package access

import "net/netip"

// Networks are a list of networks. A few dozen are looked through faster than
// any index.
type Networks []netip.Prefix

// Contain tells whether an address is in one of the networks. An IPv4 address in
// IPv6 form is that IPv4 address.
func (n Networks) Contain(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	for _, network := range n {
		if network.Contains(address) {
			return true
		}
	}
	return false
}
