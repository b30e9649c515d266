package server

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/meter"
	"asterism/internal/realtime"
	"asterism/internal/soap"
)

// bareListener is the Asterisk-facing listener alone, on a directory in memory, so
// that a test can shorten its limits.
type bareListener struct {
	*asteriskListener
	serving // only its address
	socket  net.Listener
}

// listenBare serves until the test ends. There are as many AORs as asked for, 1 to n.
func listenBare(t testing.TB, rows int, shorten func(*asteriskListener)) *bareListener {
	t.Helper()
	curl, soapDoor := doorsInMemory(t, rows)
	l := newAsteriskListener(curl, soapDoor, nil, slog.New(slog.DiscardHandler))
	shorten(l)
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- l.serve(socket) }()
	t.Cleanup(func() {
		l.drain(t.Context(), socket)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &bareListener{l, serving{Addresses: Addresses{Asterisk: socket.Addr().String()}}, socket}
}

// doorsInMemory are doors that answer questions; there is nothing to write to.
func doorsInMemory(t testing.TB, rows int) (*realtime.Door, *soap.Door) {
	t.Helper()
	d := directory.New(family.Standard().All(), nil)
	table := d.View().Table([]byte("ps_aors"))
	b := directory.NewBuilder(table.Columns())
	var buckets []directory.Bucket
	for i := range rows {
		for column, text := range map[string]string{"id": fmt.Sprint(i + 1), "contact": strings.Repeat("x", 250)} {
			at, ok := table.Columns().Find([]byte(column))
			if !ok {
				t.Fatalf("ps_aors has no column %s", column)
			}
			b.AddSQL(at, []byte(text))
		}
		row := b.Row()
		buckets = append(buckets, directory.Bucket{Key: table.KeyOf(row), Rows: []directory.Row{row}})
	}
	d.Publish("ps_aors", buckets)
	var names []string
	for _, table := range d.View().Tables() {
		names = append(names, table.Family().Name)
	}
	m := newMeters()
	log := slog.New(slog.DiscardHandler)
	curl := &realtime.Door{
		Directory: d, Lookups: meter.NewLookups(m.lookups, "curl", names), Truncated: m.truncated, Rejected: m.rejected, Log: log, Now: time.Now,
	}
	return curl, &soap.Door{Directory: d, Lookups: meter.NewLookups(m.lookups, "soap", names), Log: log, Now: time.Now}
}

// rejected is how many requests were refused for a reason.
func (e *bareListener) rejected(reason string) uint64 {
	return e.realtime.Rejected.With(reason).Value()
}

// BenchmarkKeptAlive is a lookup over one of 16 connections that stay open;
// cpu-ns/op is the processor time of both sides, system calls included.
func BenchmarkKeptAlive(b *testing.B) {
	e := listenBare(b, 1000, func(*asteriskListener) {})
	request := asAsterisk("/rt/ps_aors/single", "id=500")
	answer := len(askOnce(b, e.Asterisk, request))
	before := processorTime(b)
	b.SetParallelism(8) // times two processors
	b.RunParallel(func(pb *testing.PB) {
		connection, err := net.Dial("tcp", e.Asterisk)
		if err != nil {
			b.Error(err)
			return
		}
		defer connection.Close()
		got := make([]byte, answer)
		for pb.Next() {
			if _, err := io.WriteString(connection, request); err != nil {
				b.Error(err)
				return
			}
			if _, err := io.ReadFull(connection, got); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
}

// askOnce gives an answer as it stands on the wire.
func askOnce(t testing.TB, address, request string) []byte {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	send(t, connection, strings.Replace(request, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1))
	got, err := io.ReadAll(connection)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.Replace(string(got), "Connection: close\r\n", "", 1))
}

func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
