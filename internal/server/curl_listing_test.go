package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Scale of the test of full listings; BenchmarkListing has the full one.
const (
	listedRows     = 10_000
	listingReaders = 20
	listingRounds  = 2
)

// reading is one connection that asks for listings again and again.
type reading struct {
	connection net.Conn
	reader     *bufio.Reader
	body       []byte
}

// listing reads a whole listing.
func (r *reading) listing(family string) error {
	if _, err := io.WriteString(r.connection, asAsterisk("/rt/"+family+"/multi", "id%20LIKE=%25")); err != nil {
		return err
	}
	response, err := http.ReadResponse(r.reader, nil)
	if err != nil {
		return err
	}
	if response.ContentLength < 0 {
		return fmt.Errorf("%s: an answer without Content-Length", family)
	}
	if int64(cap(r.body)) < response.ContentLength {
		r.body = make([]byte, response.ContentLength)
	}
	r.body = r.body[:response.ContentLength]
	_, err = io.ReadFull(response.Body, r.body)
	return err
}

// check compares the listing that was read with the rows that a family has:
// perhaps a temporary one, a first one, the middle that nobody changes, and a
// last one, which is changed in one transaction with the first.
func (r *reading) check(family, column string, middle []byte) error {
	rest, temporary := bytes.CutPrefix(r.body, []byte("id=temporary&"+column+"=0\n"))
	first, rest, _ := bytes.Cut(rest, []byte("\n"))
	rest, complete := bytes.CutPrefix(rest, middle)
	last, rest, _ := bytes.Cut(rest, []byte("\n"))
	version, isFirst := bytes.CutPrefix(first, fmt.Appendf(nil, "id=e%d&%s=", 99999+listedRows, column))
	other, isLast := bytes.CutPrefix(last, []byte("id=e100000&"+column+"="))
	switch {
	case !complete || !isFirst || !isLast || len(rest) > 0:
		return fmt.Errorf("%s: rows are missing, broken or out of order in an answer of %d bytes (temporary row: %v)", family, len(r.body), temporary)
	case !bytes.Equal(version, other):
		return fmt.Errorf("%s: the first row says %s, the last %s: two versions in one answer", family, version, other)
	}
	return nil
}

// middleOf is what stands between the first and the last row.
func middleOf(column string) []byte {
	var out []byte
	for i := 99998 + listedRows; i > 100_000; i-- {
		out = fmt.Appendf(out, "id=e%d&%s=0\n", i, column)
	}
	return out
}

// seedListing fills a store with as many endpoints and AORs.
func seedListing(o *outsider, rows int) {
	o.t.Helper()
	o.exec("PRAGMA synchronous=OFF")
	const ids = "WITH RECURSIVE n(i) AS (SELECT 100000 UNION ALL SELECT i+1 FROM n WHERE i < 99999 + ?) "
	o.exec("INSERT INTO ps_endpoints (id, context) "+ids+"SELECT 'e' || i, '0' FROM n", rows)
	o.exec("INSERT INTO ps_aors (id, max_contacts) "+ids+"SELECT 'e' || i, 0 FROM n", rows)
}

// TestListingsUnderChange: twenty Asterisks read everything while a portal
// changes it.
func TestListingsUnderChange(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	o := outside(t, cfg)
	seedListing(o, listedRows)
	s := start(t, cfg)
	changing := make(chan struct{})
	var readers, writer sync.WaitGroup
	writer.Go(func() {
		step := time.NewTicker(10 * time.Millisecond)
		defer step.Stop()
		for round := 1; ; round++ {
			select {
			case <-changing:
				return
			case <-step.C:
			}
			// One transaction changes the first and the last row of the listing.
			if _, err := o.db.Exec("UPDATE ps_aors SET max_contacts = ? WHERE id IN ('e100000', ?)", round, fmt.Sprintf("e%d", 99999+listedRows)); err != nil {
				t.Error(err)
			}
			statement := "INSERT INTO ps_aors (id, max_contacts) VALUES ('temporary', 0)"
			if round%2 == 0 {
				statement = "DELETE FROM ps_aors WHERE id = 'temporary'"
			}
			if _, err := o.db.Exec(statement); err != nil {
				t.Error(err)
			}
		}
	})
	middles := map[string][]byte{"max_contacts": middleOf("max_contacts"), "context": middleOf("context")}
	for range listingReaders {
		readers.Go(func() {
			if err := readListings(s.Asterisk, middles); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	close(changing)
	writer.Wait()
}

func readListings(address string, middles map[string][]byte) error {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(3 * patience)); err != nil {
		return err
	}
	r := &reading{connection: connection, reader: bufio.NewReader(connection)}
	for range listingRounds {
		for family, column := range map[string]string{"ps_aors": "max_contacts", "ps_endpoints": "context"} {
			if err := r.listing(family); err != nil {
				return err
			}
			if err := r.check(family, column, middles[column]); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestAnswersOfAnyLength: short ones are copied, long ones streamed from the
// rows; on the wire there is no difference.
func TestAnswersOfAnyLength(t *testing.T) {
	t.Parallel()
	const rows = 9000
	s, _ := seeded(t, fmt.Sprintf("INSERT INTO ps_aors (id, max_contacts) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %d) SELECT printf('%%05d', i), i FROM n", rows))
	for _, n := range []int{0, 1, 1000, 2500, 3000, rows} {
		var want strings.Builder
		for i := range n {
			fmt.Fprintf(&want, "id=%05d&max_contacts=%d\n", i+1, i+1)
		}
		got := s.raw(t, asAsterisk("/rt/ps_aors/multi", fmt.Sprintf("id%%20%%3C%%3D=%05d", n)))
		if got.body != want.String() || got.length != int64(want.Len()) {
			t.Errorf("%d rows of %d bytes answer %d bytes with Content-Length %d", n, want.Len(), len(got.body), got.length)
		}
	}
	// Several answers over one connection, the long one in the middle.
	connection := s.connect(t)
	send(t, connection, asAsterisk("/rt/ps_aors/single", "id=00007")+asAsterisk("/rt/ps_aors/multi", "id%20LIKE=%25")+asAsterisk("/rt/ps_aors/single", "id=00008"))
	reader := bufio.NewReader(connection)
	var lengths []int64
	for range 3 {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, response.Body)
		if err != nil || n != response.ContentLength {
			t.Fatalf("%d of %d bytes: %v", n, response.ContentLength, err)
		}
		lengths = append(lengths, n)
	}
	if lengths[0] != lengths[2] || lengths[1] < 200_000 {
		t.Errorf("three answers over one connection have %v bytes", lengths)
	}
}
