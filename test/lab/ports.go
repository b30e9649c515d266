package lab

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// The lab's ports of 127.0.0.1. Both ranges end below the kernel's own (from 32768,
// net.ipv4.ip_local_port_range), so that no socket that asks for any port, or that
// connects, ever gets one of them.
const (
	firstPort, lastPort = 10240, 19999 // FreePort
	firstRTP, lastRTP   = 20000, 31999 // all instances share these: Asterisk takes the next when one is taken
)

// FreePort is a port of 127.0.0.1, UDP and TCP, that is the test's alone until its end,
// whether something listens there or not: every process of the lab on this machine
// leaves it alone.
func FreePort(t T) int {
	t.Helper()
	claims := filepath.Join(os.TempDir(), fmt.Sprintf("asterism-lab-ports-%d", os.Getuid()))
	if err := os.MkdirAll(claims, 0o700); err != nil {
		t.Fatalf("%v", err)
	}
	first := rand.IntN(lastPort - firstPort + 1)
	for i := range lastPort - firstPort + 1 {
		port := firstPort + (first+i)%(lastPort-firstPort+1)
		claim, err := os.OpenFile(filepath.Join(claims, fmt.Sprint(port)), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if syscall.Flock(int(claim.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && unused(port) {
			t.Cleanup(func() { _ = claim.Close() })
			return port
		}
		_ = claim.Close()
	}
	t.Fatalf("no free port from %d to %d", firstPort, lastPort)
	return 0
}

// unused tells whether nobody listens on a port; one who isn't of the lab may.
func unused(port int) bool {
	address := fmt.Sprintf("127.0.0.1:%d", port)
	packets, err := net.ListenPacket("udp4", address)
	if err != nil {
		return false
	}
	defer packets.Close()
	listener, err := net.Listen("tcp4", address)
	if err != nil {
		return false
	}
	defer listener.Close()
	return true
}
