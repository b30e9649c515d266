package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// apartName makes the test program of TestServeApart a node.
const apartName = "ASTERISM_TEST_STATE"

// TestServeApart is not a test of its own: it is the node in a process of its own
// that other tests start. A line on its input makes it collect its garbage and
// give free memory back; the end of the input ends it.
func TestServeApart(t *testing.T) {
	if os.Getenv(apartName) == "" {
		return
	}
	cfg := testConfig(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, cfg, Options{Log: slog.New(slog.DiscardHandler), Version: "test", Ready: func(a Addresses) { fmt.Println("serving", a.Asterisk, a.People) }})
	}()
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		debug.FreeOSMemory()
		fmt.Println("collected")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// apart is a node in a process of its own.
type apart struct {
	serving
	pid    int
	input  io.Writer
	output *bufio.Reader
}

func startApart(t *testing.T) *apart {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestServeApart$", "-test.timeout=10m")
	command.Env = append(os.Environ(), apartName+"=yes")
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer cancel() // kills what did not end
		_ = input.Close()
		if _, err := io.Copy(io.Discard, output); err != nil {
			t.Error(err)
		}
		if err := command.Wait(); err != nil {
			t.Errorf("the node apart: %v", err)
		}
	})
	a := &apart{pid: command.Process.Pid, input: input, output: bufio.NewReader(output)}
	if _, err := fmt.Fscanf(a.output, "serving %s %s\n", &a.Asterisk, &a.People); err != nil {
		t.Fatal(err)
	}
	return a
}

// resident is the memory of the node in bytes, garbage collected.
func (a *apart) resident(t *testing.T) int {
	t.Helper()
	send := func() {
		if _, err := io.WriteString(a.input, "collect\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := a.output.ReadString('\n'); err != nil || line != "collected\n" {
			t.Fatalf("%q %v", line, err)
		}
	}
	send()
	send() // what pools hold survives one collection
	return residentOf(t, a.pid)
}

func residentOf(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return kilobytes << 10
		}
	}
	t.Fatal("no VmRSS")
	return 0
}

// idleClients and idleCost are what the project promises.
const (
	idleClients = 10_000
	idleCost    = 20_000 // bytes each
	idleRest    = 2000   // bytes each, once closed: Go keeps the descriptors of ended goroutines for the next
)

// TestTenThousandIdleConnections: an Asterisk keeps connections of all its
// threads; each must cost little while it waits, and nothing once it is closed.
func TestTenThousandIdleConnections(t *testing.T) {
	allowDescriptors(t, idleClients+500)
	a := startApart(t)
	a.ask(t, "/rt/ps_aors/store", "id=6001")
	before := a.resident(t)
	first, rest := a.idleRound(t, before)
	if first > idleCost {
		t.Errorf("an idle connection costs %d bytes, want at most %d", first, idleCost)
	}
	if _, again := a.idleRound(t, before); again > rest+idleRest/4 {
		t.Errorf("after the second round %d bytes of each connection stay, %d after the first", again, rest)
	}
}

// idleRound opens the connections, asks once over each, and closes them. It gives
// the bytes that each costs while it is idle, and that stay of each.
func (a *apart) idleRound(t *testing.T, before int) (idle, rest int) {
	t.Helper()
	request := asAsterisk("/rt/ps_aors/single", "id=6001")
	answer := askOnce(t, a.Asterisk, request)
	clients := make([]*net.TCPConn, idleClients)
	for i := range clients {
		clients[i] = a.connect(t)
		if err := clients[i].SetLinger(0); err != nil { // leaves no port behind in TIME_WAIT
			t.Fatal(err)
		}
		send(t, clients[i], request)
		if _, err := io.ReadFull(clients[i], answer); err != nil {
			t.Fatal(err)
		}
	}
	during := a.resident(t)
	idle = (during - before) / idleClients
	if got := a.ask(t, "/rt/ps_aors/single", "id=6001"); got != "id=6001" {
		t.Errorf("beside them a client is answered %q", got)
	}
	for _, client := range clients {
		_ = client.Close()
	}
	after := 0
	soon(t, "their memory is given back", func() bool {
		after = a.resident(t)
		rest = (after - before) / idleClients
		return rest < idleRest
	})
	t.Logf("%d KB before, %d KB with %d idle connections (%d bytes each), %d KB after", before>>10, during>>10, idleClients, idle, after>>10)
	return idle, rest
}

// allowDescriptors raises the limit of open files for this process and what it starts.
func allowDescriptors(t *testing.T, count uint64) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if limit.Cur >= count {
		return
	}
	limit.Cur, limit.Max = count, max(count, limit.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%d open files are not allowed: %v", count, err)
		}
		t.Skipf("%d open files are not allowed: %v", count, err)
	}
}
