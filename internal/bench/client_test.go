package bench

import (
	"bytes"
	"encoding/json"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// runClient runs one client in this process and returns its report.
func runClient(t *testing.T, work job) report {
	t.Helper()
	var out bytes.Buffer
	if err := Client(work.options(), strings.NewReader("start\n"), &out); err != nil {
		t.Fatal(err)
	}
	answers := json.NewDecoder(&out)
	var prepared ready
	var found report
	if err := answers.Decode(&prepared); err != nil || !prepared.Ready {
		t.Fatalf("ready %v, error %v", prepared, err)
	}
	if err := answers.Decode(&found); err != nil {
		t.Fatal(err)
	}
	if err := found.validate(); err != nil {
		t.Fatal(err)
	}
	return found
}

func jobFor(t *testing.T, address netip.AddrPort) job {
	t.Helper()
	return job{
		Door:     "soap",
		Address:  address,
		Host:     address.String(),
		Path:     "/soap",
		Numbers:  writePhoneBook(t),
		Rows:     len(phoneBook()),
		Requests: 10,
		Deadline: requestDeadline,
	}
}

func TestClientReports(t *testing.T) {
	served := newDirectory(t, nil)
	found := runClient(t, jobFor(t, served.address(t)))
	if found.Client != "go" || found.Requests != 10 || found.Errors != 0 {
		t.Errorf("report %+v", found)
	}
	if found.Finished <= found.Started || found.MaxRSSBytes < 1<<20 {
		t.Errorf("missing figures in %+v", found)
	}
}

func TestADeadServerIsGivenUp(t *testing.T) {
	// It accepts, by the kernel's hand, and never answers.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	work := jobFor(t, netip.MustParseAddrPort(listener.Addr().String()))
	work.Requests = 100_000
	work.Deadline = 10 * time.Millisecond
	found := runClient(t, work)
	if found.Errors != work.Requests || !strings.Contains(found.FirstError, "timeout") {
		t.Errorf("%d errors, first %q", found.Errors, found.FirstError)
	}
	if took := time.Duration(found.Finished - found.Started); took < patience*work.Deadline || took > requestDeadline {
		t.Errorf("took %v", took)
	}
}

func TestClientRefusesAJobThatCannotBe(t *testing.T) {
	f := func(want string, change func(*job)) {
		t.Helper()
		work := jobFor(t, netip.MustParseAddrPort("127.0.0.1:1"))
		change(&work)
		var out bytes.Buffer
		err := Client(work.options(), strings.NewReader(""), &out)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	f("no address", func(work *job) { work.Address = netip.AddrPort{} })
	f("0 requests", func(work *job) { work.Requests = 0 })
	f("deadline", func(work *job) { work.Deadline = 0 })
	f(`"carrier pigeon"`, func(work *job) { work.Door = "carrier pigeon" })
	f("became shorter", func(work *job) { work.Rows = 1_000_000 })
	f("no such file", func(work *job) { work.Numbers += ".absent" })
	f("wait for the start", func(*job) {})

	for _, options := range [][]string{nil, {"hello"}, {"--wait", "hello"}, {"--speed", "1"}} {
		if err := Client(options, strings.NewReader("start\n"), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "not by hand") {
			t.Errorf("%q: error %v", options, err)
		}
	}
}
