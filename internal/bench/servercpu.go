package bench

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of CPU time in /proc/*/stat: USER_HZ is 100 on every
// architecture that Go supports.
const tick = 10 * time.Millisecond

// ServerCPU reads the CPU time of the processes behind one listening address of
// this machine. The zero value knows none.
type ServerCPU struct {
	processes []int
}

// FindServer looks for the processes that listen on an address. It finds none
// when the address is remote or the processes may not be looked into, which
// takes their user's rights.
func FindServer(address netip.AddrPort) ServerCPU {
	if !isLocal(address.Addr()) {
		return ServerCPU{}
	}
	return ServerCPU{processes: listeningProcesses(address)}
}

// Used is the user and system time of all processes since each began. It is
// not known when none was found or one has ended since.
func (s ServerCPU) Used() (used time.Duration, known bool) {
	for _, process := range s.processes {
		spent, err := processCPU(process)
		if err != nil {
			return 0, false
		}
		used += spent
	}
	return used, len(s.processes) > 0
}

// isLocal keeps a port of this machine from standing in for the same port of
// another one.
func isLocal(address netip.Addr) bool {
	if address.IsLoopback() || address.IsUnspecified() {
		return true
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, candidate := range own {
		prefix, err := netip.ParsePrefix(candidate.String())
		if err == nil && prefix.Addr().Unmap() == address.WithZone("") {
			return true
		}
	}
	return false
}

func processCPU(process int) (time.Duration, error) {
	path := "/proc/" + strconv.Itoa(process) + "/stat"
	stat, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	spent, err := parseStat(string(stat))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return spent, nil
}

// parseStat adds up utime and stime, the 14th and 15th field. The second is the
// program's name in parentheses and may hold anything, so counting starts
// behind the last parenthesis.
func parseStat(stat string) (time.Duration, error) {
	const utime, stime = 14 - 3, 15 - 3
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) <= stime {
		return 0, fmt.Errorf("%d fields behind the name, too few", len(fields))
	}
	var ticks uint64
	for _, field := range []int{utime, stime} {
		count, err := strconv.ParseUint(fields[field], 10, 63)
		if err != nil {
			return 0, fmt.Errorf("field %d: %w", field+3, err)
		}
		ticks += count
	}
	return time.Duration(ticks) * tick, nil
}
