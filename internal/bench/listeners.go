package bench

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// stateListen is TCP_LISTEN as /proc/net/tcp spells it.
const stateListen = "0A"

// listeningProcesses returns the ids of the processes that hold a socket
// listening on an address; several, where workers share one. It is empty when
// the address is another machine's or the processes belong to somebody else.
func listeningProcesses(address netip.AddrPort) []int {
	sockets := listeningSockets(address)
	if len(sockets) == 0 {
		return nil
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*") // the pattern is well formed
	var processes []int
	for _, link := range links {
		// A process or a descriptor may be gone by now, or not ours to read.
		held, err := os.Readlink(link)
		if err != nil || !sockets[held] {
			continue
		}
		id, err := strconv.Atoi(strings.Split(link, "/")[2])
		if err == nil && (len(processes) == 0 || processes[len(processes)-1] != id) {
			processes = append(processes, id)
		}
	}
	return processes
}

// listeningSockets returns sockets as links in /proc/*/fd name them. As in the
// kernel a listener on the address itself goes before one on all addresses.
func listeningSockets(address netip.AddrPort) map[string]bool {
	exact, wide := map[string]bool{}, map[string]bool{}
	for _, path := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		table, err := os.ReadFile(path)
		if err != nil {
			continue // no IPv6 in this kernel
		}
		for line := range bytes.Lines(table) {
			local, inode, found := parseListener(string(line))
			if !found || local.Port() != address.Port() {
				continue
			}
			socket := "socket:[" + inode + "]"
			switch {
			case local.Addr() == address.Addr():
				exact[socket] = true
			case local.Addr() == netip.IPv6Unspecified(),
				local.Addr() == netip.IPv4Unspecified() && address.Addr().Is4():
				wide[socket] = true
			}
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return wide
}

// parseListener reads one line of /proc/net/tcp or tcp6, whose fields are: slot,
// local address, remote address, state, queues, timer, retransmits, user,
// timeout, inode.
func parseListener(line string) (local netip.AddrPort, inode string, listens bool) {
	fields := strings.Fields(line)
	if len(fields) < 10 || fields[3] != stateListen {
		return netip.AddrPort{}, "", false
	}
	host, portText, _ := strings.Cut(fields[1], ":")
	port, err := strconv.ParseUint(portText, 16, 16)
	if err != nil {
		return netip.AddrPort{}, "", false
	}
	words, err := hex.DecodeString(host)
	if err != nil || len(words)%4 != 0 {
		return netip.AddrPort{}, "", false
	}
	// The kernel prints each 32-bit word of the address as a number of this
	// machine's byte order.
	for i := 0; i < len(words); i += 4 {
		binary.NativeEndian.PutUint32(words[i:], binary.BigEndian.Uint32(words[i:]))
	}
	ip, ok := netip.AddrFromSlice(words)
	if !ok {
		return netip.AddrPort{}, "", false
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(port)), fields[9], true
}
