package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// ownCPU is the user and system time that this process has used.
func ownCPU() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, fmt.Errorf("getrusage: %w", err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}

// ownMaxRSS is the largest resident memory of this process, in bytes. It is not
// taken from getrusage, whose ru_maxrss also counts the parent's memory at the
// moment of the fork.
func ownMaxRSS() (int64, error) {
	const path = "/proc/self/status"
	status, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		value, found := bytes.CutPrefix(line, []byte("VmHWM:"))
		if !found {
			continue
		}
		kibibytes, _ := bytes.CutSuffix(bytes.TrimSpace(value), []byte(" kB"))
		count, err := strconv.ParseInt(string(bytes.TrimSpace(kibibytes)), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: VmHWM: %w", path, err)
		}
		return count << 10, nil
	}
	return 0, fmt.Errorf("%s: no VmHWM; client processes need Linux", path)
}
