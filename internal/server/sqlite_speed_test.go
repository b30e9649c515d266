package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// report adds quantiles of durations to a benchmark, in milliseconds.
func report(b *testing.B, what string, took []time.Duration) {
	slices.Sort(took)
	at := func(q float64) float64 {
		return float64(took[min(int(q*float64(len(took))), len(took)-1)].Microseconds()) / 1000
	}
	b.ReportMetric(at(0.50), what+"_p50_ms")
	b.ReportMetric(at(0.99), what+"_p99_ms")
	b.ReportMetric(at(1), what+"_max_ms")
}

// open connects as one Asterisk thread does: one connection, many questions.
func open(b *testing.B, address string) *reading {
	b.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = connection.Close() })
	return &reading{connection: connection, reader: bufio.NewReader(connection)}
}

// single asks one question and gives the body.
func (r *reading) single(request string) ([]byte, error) {
	if _, err := io.WriteString(r.connection, request); err != nil {
		return nil, err
	}
	response, err := http.ReadResponse(r.reader, nil)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(response.Body)
}

// BenchmarkSQLToAnswer measures from the commit of another program's change to
// the first answer that shows it.
func BenchmarkSQLToAnswer(b *testing.B) {
	s, o := seeded(b, `INSERT INTO ps_aors (id, max_contacts) VALUES ('6001', 0)`)
	o.exec("PRAGMA synchronous=OFF") // the disk is not what is measured
	r := open(b, s.Asterisk)
	question := asAsterisk("/rt/ps_aors/single", "id=6001")
	chance := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		// At any moment of the follower's rhythm, not always right after its look.
		<-time.After(time.Duration(chance.Int64N(int64(25 * time.Millisecond))))
		o.exec("UPDATE ps_aors SET max_contacts = ?", n+1)
		began := time.Now()
		want := fmt.Appendf(nil, "id=6001&max_contacts=%d", n+1)
		for {
			got, err := r.single(question)
			if err != nil {
				b.Fatal(err)
			}
			if bytes.Equal(got, want) {
				break
			}
			if time.Since(began) > patience {
				b.Fatalf("after %v the answer is still %s", patience, got)
			}
		}
		took = append(took, time.Since(began))
	}
	report(b, "visible", took)
}

// listingTimes are what one client of BenchmarkListing measured.
type listingTimes struct{ first, whole []time.Duration }

func (r *reading) timed(times *listingTimes) error {
	for _, family := range []string{"ps_aors", "ps_endpoints"} {
		began := time.Now()
		if _, err := io.WriteString(r.connection, asAsterisk("/rt/"+family+"/multi", "id%20LIKE=%25")); err != nil {
			return err
		}
		if _, err := r.reader.Peek(1); err != nil {
			return err
		}
		times.first = append(times.first, time.Since(began))
		response, err := http.ReadResponse(r.reader, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			return err
		}
		times.whole = append(times.whole, time.Since(began))
	}
	return nil
}

// BenchmarkListing measures full listings of 50,000 endpoints and AORs: by one
// client alone, and by twenty at once beside single lookups. One operation is
// one client's reading of both tables.
func BenchmarkListing(b *testing.B) {
	const rows = 50_000
	cfg := testConfig(b)
	seedListing(outside(b, cfg), rows)
	s := start(b, cfg)
	for _, clients := range []int{1, 20} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) { benchmarkListing(b, s, clients) })
	}
}

func benchmarkListing(b *testing.B, s *serving, clients int) {
	connections := make([]*reading, clients)
	for i := range connections {
		connections[i] = open(b, s.Asterisk)
	}
	side := open(b, s.Asterisk)
	question := asAsterisk("/rt/ps_aors/single", "id=e100500")
	over := make(chan struct{})
	var beside sync.WaitGroup
	var singles []time.Duration
	beside.Go(func() {
		pause := time.NewTicker(time.Millisecond)
		defer pause.Stop()
		for {
			select {
			case <-over:
				return
			case <-pause.C:
			}
			began := time.Now()
			if _, err := side.single(question); err != nil {
				b.Error(err)
				return
			}
			singles = append(singles, time.Since(began))
		}
	})
	var mu sync.Mutex // guards all
	var all listingTimes
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b.ResetTimer()
	var readers sync.WaitGroup
	for i := range connections {
		share := b.N / clients
		if i < b.N%clients {
			share++
		}
		readers.Go(func() {
			var times listingTimes
			for range share {
				if err := connections[i].timed(&times); err != nil {
					b.Error(err)
					return
				}
			}
			mu.Lock()
			defer mu.Unlock()
			all.first, all.whole = append(all.first, times.first...), append(all.whole, times.whole...)
		})
	}
	readers.Wait()
	b.StopTimer()
	close(over)
	beside.Wait()
	runtime.ReadMemStats(&after)
	if len(all.first) == 0 || len(singles) == 0 {
		return
	}
	report(b, "first_byte", all.first)
	report(b, "whole", all.whole)
	report(b, "single", singles)
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N), "allocated_B/op")
}
