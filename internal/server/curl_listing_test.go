package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Scale of the test of full listings.
const (
	listedRows    = 50_000
	listingReader = 20
	listingRounds = 3
)

// listed is what a listing of ps_aors or ps_endpoints says.
type listed struct {
	rows            int
	first, last     string // value of the marked column in the first and the last base row
	temporary       int    // rows that come and go
	bytes, promised int64
}

// listing reads a whole listing line by line, checks its form and order, and
// keeps nothing of it.
func listing(connection *bufio.ReadWriter, family, mark string) (l listed, err error) {
	if _, err := connection.WriteString(asAsterisk("/rt/"+family+"/multi", "id%20LIKE=%25")); err != nil {
		return l, err
	}
	if err := connection.Flush(); err != nil {
		return l, err
	}
	response, err := http.ReadResponse(connection.Reader, nil)
	if err != nil {
		return l, err
	}
	l.promised = response.ContentLength
	lines := bufio.NewScanner(response.Body)
	previous := "~"
	for lines.Scan() {
		line := lines.Text()
		l.bytes += int64(len(line)) + 1
		pairs := strings.Split(line, "&")
		id, found := strings.CutPrefix(pairs[0], "id=")
		value := strings.TrimPrefix(pairs[len(pairs)-1], mark+"=")
		if !found || len(pairs) != 2 || value == pairs[1] {
			return l, fmt.Errorf("%s: an incomplete row %q", family, line)
		}
		if id >= previous {
			return l, fmt.Errorf("%s: %s comes after %s, want descending order", family, id, previous)
		}
		previous = id
		if strings.HasPrefix(id, "temporary") {
			l.temporary++
			continue
		}
		if l.rows == 0 {
			l.first = value
		}
		l.rows, l.last = l.rows+1, value
	}
	return l, lines.Err()
}

// check tells what is wrong with a listing beside its rows' form and order.
func (l listed) check(family string) error {
	switch {
	case l.bytes != l.promised:
		return fmt.Errorf("%s: %d bytes, Content-Length says %d", family, l.bytes, l.promised)
	case l.rows != listedRows || l.temporary > 1:
		return fmt.Errorf("%s: %d rows and %d temporary ones, want %d and at most 1", family, l.rows, l.temporary, listedRows)
	case l.first != l.last:
		return fmt.Errorf("%s: the first row says %s, the last %s: two versions in one answer", family, l.first, l.last)
	}
	return nil
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
	for range listingReader {
		readers.Go(func() {
			if err := readListings(s.Asterisk); err != nil {
				t.Error(err)
			}
		})
	}
	readers.Wait()
	close(changing)
	writer.Wait()
}

func readListings(address string) error {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(3 * patience)); err != nil {
		return err
	}
	both := bufio.NewReadWriter(bufio.NewReader(connection), bufio.NewWriter(connection))
	for range listingRounds {
		aors, err := listing(both, "ps_aors", "max_contacts")
		if err == nil {
			err = aors.check("ps_aors")
		}
		if err != nil {
			return err
		}
		endpoints, err := listing(both, "ps_endpoints", "context")
		if err == nil {
			err = endpoints.check("ps_endpoints")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestAnswersOfAnyLength: short ones are copied, long ones streamed from the
// rows; on the wire there is no difference.
func TestAnswersOfAnyLength(t *testing.T) {
	t.Parallel()
	s, o := seeded(t)
	for _, rows := range []int{0, 1, 1000, 3000, 9000} {
		o.exec("DELETE FROM ps_aors")
		o.exec("INSERT INTO ps_aors (id, max_contacts) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ?) SELECT printf('%05d', i), i FROM n WHERE i <= ?", rows, rows)
		var want strings.Builder
		for i := rows; i > 0; i-- {
			fmt.Fprintf(&want, "id=%05d&max_contacts=%d\n", i, i)
		}
		var got answer
		soon(t, fmt.Sprintf("%d rows are listed", rows), func() bool {
			got = s.raw(t, asAsterisk("/rt/ps_aors/multi", "id%20LIKE=%25"))
			return got.body == want.String()
		})
		if got.length != int64(want.Len()) {
			t.Errorf("%d rows: Content-Length %d, want %d", rows, got.length, want.Len())
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
