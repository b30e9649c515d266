package lab

import "net"

// FreeUDP is a UDP port of 127.0.0.1 that nobody uses at the moment, and whose
// TCP twin is free too.
func FreeUDP(t T) int {
	t.Helper()
	for range 100 {
		packets, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatalf("%v", err)
		}
		address, ok := packets.LocalAddr().(*net.UDPAddr)
		if !ok {
			t.Fatalf("no UDP address")
		}
		port := address.Port
		twin, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		_ = packets.Close()
		if err != nil || port > 60000 || port%2 == 1 {
			if err == nil {
				_ = twin.Close()
			}
			continue
		}
		_ = twin.Close()
		return port
	}
	t.Fatalf("no free port")
	return 0
}
