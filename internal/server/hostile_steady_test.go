package server

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// steadily asks the same all the time, over one connection, until it is stopped:
// every answer must be that to the first. at is called after each.
func steadily(t *testing.T, address, request string, at func()) (stop func()) {
	t.Helper()
	want := askOnce(t, address, request)
	ctx, cancel := context.WithCancel(t.Context())
	asked, longest := 0, time.Duration(0)
	var asking sync.WaitGroup
	connected := make(chan error, 1)
	asking.Go(func() {
		connection, err := net.Dial("tcp", address)
		connected <- err
		if err != nil {
			return
		}
		defer connection.Close()
		got := make([]byte, len(want))
		for ; ctx.Err() == nil && asked < MaxRequests-1; asked++ {
			start := time.Now()
			if _, err := io.WriteString(connection, request); err != nil {
				t.Errorf("another client's question: %v", err)
				return
			}
			if _, err := io.ReadFull(connection, got); err != nil || !bytes.Equal(got, want) {
				t.Errorf("another client is answered %q, %v; want %q", got, err, want)
				return
			}
			longest = max(longest, time.Since(start))
			at()
		}
		<-ctx.Done() // one more request would be the connection's last
	})
	if err := <-connected; err != nil {
		t.Fatal(err)
	}
	return func() {
		cancel()
		asking.Wait()
		if asked == 0 {
			t.Error("no other client was answered meanwhile")
		}
		t.Logf("meanwhile another client got %d right answers, the slowest after %v", asked, longest)
	}
}
