package http1

import (
	"net/netip"
	"syscall"
	"unsafe"
)

// What loops do with sockets never blocks, so it goes past Go's scheduler, which
// would else be told of each call (docs/bench.md).

func receive(fd int, into []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(into))), uintptr(len(into)), syscall.MSG_DONTWAIT, 0, 0)
	return int(n), errno
}

func send(fd int, data []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data)), syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL, 0, 0)
	return int(n), errno
}

func accept(listener int) (fd int, remote netip.AddrPort, errno syscall.Errno) {
	var address syscall.RawSockaddrAny
	length := uint32(unsafe.Sizeof(address))
	n, _, errno := syscall.RawSyscall6(syscall.SYS_ACCEPT4, uintptr(listener), uintptr(unsafe.Pointer(&address)), uintptr(unsafe.Pointer(&length)),
		syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0, 0)
	if errno != 0 {
		return 0, remote, errno
	}
	return int(n), addressOf(&address), 0
}

func addressOf(address *syscall.RawSockaddrAny) netip.AddrPort {
	switch address.Addr.Family {
	case syscall.AF_INET:
		four := (*syscall.RawSockaddrInet4)(unsafe.Pointer(address))
		return netip.AddrPortFrom(netip.AddrFrom4(four.Addr), hostOrder(four.Port))
	case syscall.AF_INET6:
		six := (*syscall.RawSockaddrInet6)(unsafe.Pointer(address))
		return netip.AddrPortFrom(netip.AddrFrom16(six.Addr).Unmap(), hostOrder(six.Port))
	}
	return netip.AddrPort{}
}

// hostOrder reads a port, which lies in memory in the order of the network.
func hostOrder(port uint16) uint16 {
	b := (*[2]byte)(unsafe.Pointer(&port))
	return uint16(b[0])<<8 | uint16(b[1])
}

// shut ends a connection for good.
func shut(fd int) { _, _, _ = syscall.RawSyscall(syscall.SYS_CLOSE, uintptr(fd), 0, 0) }

// keepAliveSeconds is after how much silence the kernel looks whether a peer is there.
const keepAliveSeconds = 15

// inherited sets on a listener what its connections then have from the start.
func inherited(listener int) {
	for _, option := range [][3]int{
		{syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1},
		{syscall.SOL_SOCKET, syscall.SO_KEEPALIVE, 1},
		{syscall.IPPROTO_TCP, syscall.TCP_KEEPIDLE, keepAliveSeconds},
		{syscall.IPPROTO_TCP, syscall.TCP_KEEPINTVL, keepAliveSeconds},
	} {
		_ = syscall.SetsockoptInt(listener, option[0], option[1], option[2]) // they only make it better
	}
}

// goneOverTLS tells whether the other end of a socket has closed its side, whatever
// is still to be read: TLS says goodbye in a record of its own first.
func goneOverTLS(fd int) bool {
	const established = 1 // TCP_ESTABLISHED of the kernel's tcp_states.h
	begin, err := syscall.GetsockoptInet4Addr(fd, syscall.IPPROTO_TCP, syscall.TCP_INFO)
	return err == nil && begin[0] != established // tcp_info begins with the state
}

// gone tells whether the next thing to read from a socket is its end; it reads
// nothing, it looks.
func gone(fd int) bool {
	var one [1]byte
	n, _, err := syscall.Recvfrom(fd, one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	return n == 0 && err == nil || err == syscall.ECONNRESET
}
