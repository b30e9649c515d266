package lab

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of CPU time in /proc: USER_HZ is 100 wherever Go runs.
const tick = 10 * time.Millisecond

// CPU is the user and system time that a process has used so far.
func CPU(t T, pid int) time.Duration {
	t.Helper()
	own, _, err := times(pid)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return own
}

// ChildrenCPU is that of a process's children: of those that run, and of those that
// have ended and were waited for.
func ChildrenCPU(t T, pid int) time.Duration {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // each knows those that it started
	if err != nil {
		t.Fatalf("%v", err)
	}
	var sum time.Duration
	for _, thread := range threads {
		children, err := os.ReadFile(thread)
		if err != nil && !isGone(err) {
			t.Fatalf("%v", err)
		}
		for child := range strings.FieldsSeq(string(children)) {
			number, err := strconv.Atoi(child)
			if err != nil {
				t.Fatalf("%s: %v", thread, err)
			}
			own, below, err := times(number)
			if err != nil && !isGone(err) {
				t.Fatalf("%v", err)
			}
			sum += own + below
		}
	}
	_, ended, err := times(pid)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return sum + ended
}

// isGone tells that a process or thread has just ended.
func isGone(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH)
}

// times are a process's own CPU time and that of its children which have ended.
func times(pid int) (own, children time.Duration, err error) {
	path := fmt.Sprintf("/proc/%d/stat", pid)
	stat, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	var ticks [4]int // utime, stime, cutime, cstime
	for i := range ticks {
		if ticks[i], err = strconv.Atoi(string(fields[11+i])); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", path, err)
		}
	}
	return time.Duration(ticks[0]+ticks[1]) * tick, time.Duration(ticks[2]+ticks[3]) * tick, nil
}
