package server

import (
	"io"
	"syscall"
)

// firstRead is how much of a request is read at once when it begins.
const firstRead = 4096

// readFirst reads the first byte of a request. What came with it waits in early.
// While nothing comes the connection holds no memory for it: a plain Read would
// hold its buffer, and reading one byte alone would cost a system call more
// (5 % of the processor time of a lookup).
func (c *connection) readFirst(p []byte) (int, error) {
	if err := c.raw.Read(c.arrived); err != nil {
		return 0, err
	}
	if len(c.early) > 0 {
		return c.readEarly(p), nil
	}
	return 0, c.failure
}

// takeFirst tries to read; false: nothing is there yet.
func (c *connection) takeFirst(fd uintptr) bool {
	buffer, ok := c.gate.first.Get().(*[firstRead]byte)
	if !ok {
		buffer = new([firstRead]byte)
	}
	n, err := syscall.Read(int(fd), buffer[:])
	for err == syscall.EINTR {
		n, err = syscall.Read(int(fd), buffer[:])
	}
	if n > 0 {
		c.buffer, c.early = buffer, buffer[:n]
		return true
	}
	c.gate.first.Put(buffer)
	if err == syscall.EAGAIN {
		return false
	}
	if c.failure = err; err == nil {
		c.failure = io.EOF
	}
	return true
}

// readEarly gives what came with the first byte.
func (c *connection) readEarly(p []byte) int {
	n := copy(p, c.early)
	if c.early = c.early[n:]; len(c.early) == 0 {
		c.gate.first.Put(c.buffer)
		c.buffer, c.early = nil, nil
	}
	return n
}
