package http1

import (
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

// TestRunningOutOfDescriptorsEndsNothing has the process without a free descriptor
// when a client comes: it is answered as soon as there is one.
func TestRunningOutOfDescriptorsEndsNothing(t *testing.T) {
	s := served(t, &echo{}, usual())
	first := dial(t, s)
	if _, err := io.WriteString(first, "GET /a HTTP/1.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answers(t, first, 1) // the loops run
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	low := before
	low.Cur = 200
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	var taken []*os.File
	release := func() {
		for _, file := range taken {
			_ = file.Close()
		}
		taken = nil
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Error(err)
		}
	}
	defer release()
	for {
		file, err := os.Open("/dev/null")
		if err != nil {
			break
		}
		taken = append(taken, file)
	}
	last := len(taken) - 1
	_ = taken[last].Close() // one for the client's end
	taken = taken[:last]
	client, err := net.DialTimeout("tcp4", address[s], time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := io.WriteString(client, "GET /b HTTP/1.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := client.SetReadDeadline(time.Now().Add(5 * fullPause)); err != nil {
		t.Fatal(err)
	}
	if n, err := client.Read(make([]byte, 1)); n > 0 || !os.IsTimeout(err) {
		t.Fatalf("without a descriptor the server read %d bytes, %v", n, err)
	}
	release()
	if err := client.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if got := answers(t, client, 1); got[0] != "200 GET /b?  " {
		t.Errorf("%q", got)
	}
}
