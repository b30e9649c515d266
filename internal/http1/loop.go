package http1

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// loop serves connections by turns.
type loop struct {
	server   *Server
	listener int // -1 once it does not accept any more
	epoll    *os.File
	fd       int // of epoll
	pipe     [2]int
	events   [64]syscall.EpollEvent
	begin    time.Time
	now      time.Duration // since begin, at the last look

	connections []*connection // by descriptor
	count       atomic.Int64

	idle, sender, reader, linger, surplus deadlines

	in       []byte // what was just read
	out      []byte // answers to write
	request  Request
	response Response

	mu       sync.Mutex // guards the next two
	inbox    []*connection
	commands []func()

	stopped  bool
	refusing chan struct{} // closed when it does not accept any more
	done     chan struct{} // closed when it has ended
}

const (
	readAtOnce    = 64 << 10
	writeAtOnce   = 256 << 10
	acceptAtOnce  = 16
	exclusive     = 1 << 28 // EPOLLEXCLUSIVE: wake one loop, not all
	fullPause     = 20 * time.Millisecond
	yieldEvery    = time.Millisecond
	keptBuffer    = 1 << 20
	readableEvent = syscall.EPOLLIN
	writableEvent = syscall.EPOLLOUT
)

func newLoop(s *Server, listener int) (*loop, error) {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("make an epoll set: %w", err)
	}
	l := &loop{
		server: s, listener: listener, fd: fd, begin: time.Now(), in: make([]byte, readAtOnce),
		refusing: make(chan struct{}), done: make(chan struct{}),
	}
	limits := &s.Limits
	l.idle.after, l.sender.after, l.reader.after = limits.Idle, limits.Sender, limits.Reader
	l.linger.after, l.surplus.after = limits.Linger, limits.Patience
	if err := syscall.Pipe2(l.pipe[:], syscall.O_NONBLOCK|syscall.O_CLOEXEC); err != nil {
		shut(fd)
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	// As a file of Go's, the set can be waited for without a thread.
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, fmt.Errorf("wait for an epoll set: %w", err)
	}
	l.epoll = os.NewFile(uintptr(fd), "epoll")
	l.watch(syscall.EPOLL_CTL_ADD, l.pipe[0], readableEvent)
	l.watch(syscall.EPOLL_CTL_ADD, listener, readableEvent|exclusive)
	return l, nil
}

func (l *loop) watch(operation, fd int, events uint32) {
	event := syscall.EpollEvent{Events: events, Fd: int32(fd)}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_EPOLL_CTL, uintptr(l.fd), uintptr(operation), uintptr(fd), uintptr(unsafe.Pointer(&event)), 0, 0)
}

func (l *loop) run() {
	defer close(l.done)
	raw, err := l.epoll.SyscallConn()
	if err != nil {
		panic(fmt.Sprintf("http1: %v", err)) // it was opened just now
	}
	yielded := l.now
	for !l.stopped {
		n := l.poll()
		if n == 0 {
			_ = raw.Read(func(uintptr) bool { n = l.poll(); return n != 0 })
		}
		l.now = time.Since(l.begin)
		for i := range n {
			l.happened(&l.events[i])
		}
		l.expire()
		if l.now-yielded > yieldEvery { // whoever else waits for a processor gets it, not only after 10 ms
			runtime.Gosched()
			yielded = l.now
		}
	}
	l.end()
}

// poll gives how many events there are, without waiting.
func (l *loop) poll() int {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, uintptr(l.fd), uintptr(unsafe.Pointer(&l.events[0])), uintptr(len(l.events)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// wake makes the loop look around.
func (l *loop) wake() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_WRITE, uintptr(l.pipe[1]), uintptr(unsafe.Pointer(&l.pipe)), 1)
}

// command has the loop itself do something.
func (l *loop) command(do func()) {
	l.mu.Lock()
	l.commands = append(l.commands, do)
	l.mu.Unlock()
	l.wake()
}

// hand gives a connection to the loop.
func (l *loop) hand(c *connection) {
	l.mu.Lock()
	l.inbox = append(l.inbox, c)
	l.mu.Unlock()
	l.wake()
}

func (l *loop) happened(event *syscall.EpollEvent) {
	fd := int(event.Fd)
	switch {
	case fd == l.pipe[0]:
		l.woken()
	case fd == l.listener:
		l.accept(acceptAtOnce)
	case fd < len(l.connections) && l.connections[fd] != nil:
		l.connections[fd].happened(event.Events)
	}
}

// woken does what others left for the loop.
func (l *loop) woken() {
	var bytes [64]byte
	_, _, _ = syscall.RawSyscall(syscall.SYS_READ, uintptr(l.pipe[0]), uintptr(unsafe.Pointer(&bytes[0])), uintptr(len(bytes)))
	l.mu.Lock()
	inbox, commands := l.inbox, l.commands
	l.inbox, l.commands = nil, nil
	l.mu.Unlock()
	for _, c := range inbox {
		if c.busy {
			c.back()
		} else {
			l.add(c)
		}
	}
	for _, do := range commands {
		do()
	}
	if l.server.draining.Load() && l.listener >= 0 {
		l.accept(1 << 20) // what has come already
		l.watch(syscall.EPOLL_CTL_DEL, l.listener, 0)
		l.listener = -1
		close(l.refusing)
	}
}

// accept takes new connections, and gives one to another loop that has fewer.
func (l *loop) accept(most int) {
	for range most {
		fd, remote, errno := accept(l.listener)
		switch errno {
		case 0:
		case syscall.EINTR, syscall.ECONNABORTED:
			continue
		case syscall.EMFILE, syscall.ENFILE:
			l.pause()
			return
		default:
			return
		}
		surplus, in := l.server.enter()
		if !in {
			shut(fd)
			continue
		}
		c := &connection{fd: fd, remote: remote, surplus: surplus}
		to := l
		for _, other := range l.server.loops {
			if other.count.Load()+1 < to.count.Load() {
				to = other
			}
		}
		c.loop = to
		to.count.Add(1)
		if to == l {
			l.add(c)
		} else {
			to.hand(c)
		}
	}
}

// pause stops accepting for a moment: the process has no descriptors left.
func (l *loop) pause() {
	listener := l.listener
	l.watch(syscall.EPOLL_CTL_DEL, listener, 0)
	time.AfterFunc(fullPause, func() {
		l.command(func() {
			if l.listener >= 0 {
				l.watch(syscall.EPOLL_CTL_ADD, listener, readableEvent|exclusive)
			}
		})
	})
}

// add begins to serve a connection.
func (l *loop) add(c *connection) {
	for c.fd >= len(l.connections) {
		l.connections = append(l.connections, make([]*connection, max(64, len(l.connections)))...)
	}
	l.connections[c.fd] = c
	l.watch(syscall.EPOLL_CTL_ADD, c.fd, readableEvent)
	if c.surplus {
		l.surplus.wait(c, l.now)
		return
	}
	l.idle.wait(c, l.now)
}

// expire ends what has waited too long.
func (l *loop) expire() {
	for c := l.idle.over(l.now); c != nil; c = l.idle.over(l.now) {
		c.end()
	}
	for c := l.linger.over(l.now); c != nil; c = l.linger.over(l.now) {
		c.end()
	}
	for c := l.reader.over(l.now); c != nil; c = l.reader.over(l.now) {
		l.server.Handler.Dropped(NotTaken)
		c.end()
	}
	for c := l.sender.over(l.now); c != nil; c = l.sender.over(l.now) {
		c.refuseNow(TooSlow)
	}
	for c := l.surplus.over(l.now); c != nil; c = l.surplus.over(l.now) {
		c.refuseNow(TooManyConnections)
	}
}

// endIdle ends connections that wait for a request.
func (l *loop) endIdle() {
	for c := l.idle.first; c != nil; c = l.idle.first {
		c.end()
	}
}

// end ends everything but what a goroutine still answers. That one uses the loop's
// descriptors when it is done, so these stay open then, and the pipe always: a
// number that is used again would be somebody else's.
func (l *loop) end() {
	busy := false
	for _, c := range l.connections {
		switch {
		case c == nil:
		case c.busy:
			busy = true
		default:
			c.end()
		}
	}
	if l.listener >= 0 {
		close(l.refusing)
	}
	if !busy {
		_ = l.epoll.Close()
	}
}
