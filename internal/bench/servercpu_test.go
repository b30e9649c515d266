package bench

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"slices"
	"testing"
	"time"
)

func listen(t *testing.T, network, address string) netip.AddrPort {
	t.Helper()
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Skipf("this machine has no %s: %v", address, err)
	}
	t.Cleanup(func() { listener.Close() })
	return netip.MustParseAddrPort(listener.Addr().String())
}

func TestOwnProcessIsFoundByItsPort(t *testing.T) {
	f := func(network, listensOn, asked string) {
		t.Helper()
		port := listen(t, network, listensOn).Port()
		address := netip.AddrPortFrom(netip.MustParseAddr(asked), port)
		server := FindServer(address)
		if !slices.Equal(server.processes, []int{os.Getpid()}) {
			t.Errorf("%s on %s: found %v, want %d", network, listensOn, server.processes, os.Getpid())
		}
		if _, known := server.Used(); !known {
			t.Errorf("%s on %s: its CPU is not known", network, listensOn)
		}
	}
	f("tcp4", "127.0.0.1:0", "127.0.0.1")
	f("tcp4", "0.0.0.0:0", "127.0.0.1")
	f("tcp", "[::]:0", "127.0.0.1")
	f("tcp6", "[::1]:0", "::1")
}

func TestAnotherAddressIsNotFound(t *testing.T) {
	port := listen(t, "tcp4", "127.0.0.1:0").Port()
	for _, asked := range []string{"127.0.0.2", "192.0.2.1", "::1"} {
		server := FindServer(netip.AddrPortFrom(netip.MustParseAddr(asked), port))
		if used, known := server.Used(); known {
			t.Errorf("%s: found %v with %v", asked, server.processes, used)
		}
	}
}

func TestAProcessThatEndedIsNotKnown(t *testing.T) {
	const beyondAnyProcess = 1 << 30
	server := ServerCPU{processes: []int{os.Getpid(), beyondAnyProcess}}
	if used, known := server.Used(); known {
		t.Errorf("%v is known", used)
	}
}

func TestStatIsParsed(t *testing.T) {
	f := func(stat string, want time.Duration) {
		t.Helper()
		got, err := parseStat(stat)
		if err != nil || got != want {
			t.Errorf("%q: got %v, error %v, want %v", stat, got, err, want)
		}
	}
	f("7 (nginx) S 1 7 7 0 -1 4194560 1 0 0 0 12 30 0 0 20 0 1 0", 420*time.Millisecond)
	f("7 (a) S 1 (b) ) S 1 7 7 0 -1 4194560 1 0 0 0 1 0 0 0 20", 10*time.Millisecond)
	for _, broken := range []string{"", "7 (nginx) S 1 7", "7 (nginx) S 1 7 7 0 -1 4194560 1 0 0 0 x 30 0"} {
		if got, err := parseStat(broken); err == nil {
			t.Errorf("%q: got %v", broken, got)
		}
	}
}

// The lines are those of a little-endian machine.
func TestListenersAreParsed(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("this machine is big-endian")
	}
	f := func(line, address, inode string) {
		t.Helper()
		got, gotInode, listens := parseListener(line)
		if !listens || got != netip.MustParseAddrPort(address) || gotInode != inode {
			t.Errorf("%s: got %v, inode %s, listens %v", line, got, gotInode, listens)
		}
	}
	f("   0: 0100007F:21C0 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0", "127.0.0.1:8640", "4711")
	f("   1: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1", "[::1]:80", "12")
	f("   2: 0000000000000000FFFF00000100007F:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 13 1", "127.0.0.1:80", "13")
	for _, other := range []string{
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
		"   0: 0100007F:21C0 0100007F:0001 01 00000000:00000000 00:00000000 00000000     0        0 4711 1",
		"   0: 01:21C0 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1",
		"",
	} {
		if got, _, listens := parseListener(other); listens {
			t.Errorf("%q listens on %v", other, got)
		}
	}
}
