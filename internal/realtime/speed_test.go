package realtime

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"asterism/internal/absent"
	"asterism/internal/directory"
	"asterism/internal/family"
	"asterism/internal/meter"
	"asterism/internal/trace"
)

// doorOf makes a door on a directory with as many endpoints, contacts and queue
// members.
func doorOf(t testing.TB, rows int) *Door {
	t.Helper()
	d := directory.New(family.Standard().All(), nil)
	fill := func(name string, pairs func(i int) map[string]string) {
		columns := d.View().Table([]byte(name)).Columns()
		b := directory.NewBuilder(columns)
		for i := range rows {
			values := pairs(i)
			for column, text := range values {
				at, ok := columns.Find([]byte(column))
				if !ok {
					t.Fatalf("%s has no column %s", name, column)
				}
				b.AddSQL(at, []byte(text))
			}
			row := b.Row()
			key := d.View().Table([]byte(name)).KeyOf(row)
			d.Publish(name, []directory.Bucket{{Key: key, Rows: []directory.Row{row}}})
		}
	}
	fill("ps_endpoints", func(i int) map[string]string {
		id := fmt.Sprint(100_000 + i)
		return map[string]string{"id": id, "aors": id, "auth": id, "context": "from-internal", "disallow": "all", "allow": "ulaw,alaw,g722", "callerid": `"Ann Lee" <` + id + `>`}
	})
	fill("ps_contacts", func(i int) map[string]string {
		return map[string]string{"id": fmt.Sprintf("%d^3B@c4fa77590513a6b0e3a4223d63c49aac", 100_000+i), "uri": "sip:192.0.2.5:5060", "expiration_time": "4102444800"}
	})
	fill("queue_members", func(i int) map[string]string {
		return map[string]string{"queue_name": fmt.Sprint("q", i/10), "interface": fmt.Sprint("PJSIP/", i), "uniqueid": fmt.Sprint(i)}
	})
	var names []string
	for _, table := range d.View().Tables() {
		names = append(names, table.Family().Name)
	}
	now := time.Unix(1_760_000_000, 0)
	return &Door{
		Directory: d, Lookups: meter.NewLookups(meter.NewVector("lookups", "", "door", "family", "outcome"), "curl", names),
		Truncated: meter.NewVector("truncated", "", "family", "column"), Rejected: meter.NewVector("rejected", "", "reason"),
		Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }, Trace: trace.New(d), Absent: absent.New(),
	}
}

// questions are what Asterisk asks most, with the allocations that an answer may
// cost.
var questions = []struct {
	name, uri, body string
	allocations     float64
}{
	{"single hit", "/rt/ps_endpoints/single", "id=100500", 0},
	{"single miss", "/rt/ps_endpoints/single", "id=100500%40example.com", 0},
	{"contacts of an AOR", "/rt/ps_contacts/multi", "id%20LIKE=100500%3B%40%25", 9},
	{"members of a queue", "/rt/queue_members/multi", "interface%20LIKE=%25&queue_name=q50", 9},
}

// TestAnswersAllocateNothing goes around the pool of Door.Answer, which forgets
// at random under the race detector.
func TestAnswersAllocateNothing(t *testing.T) {
	door := doorOf(t, 1000)
	x := &exchange{}
	buffer := make([]byte, 0, 4096)
	for _, q := range questions {
		request := Request{Method: []byte("POST"), URI: []byte(q.uri), Body: []byte(q.body)}
		got := testing.AllocsPerRun(200, func() {
			if r := x.serve(context.Background(), door, buffer, request); r.Status != 200 {
				t.Fatal(r.Status)
			}
		})
		if got > q.allocations {
			t.Errorf("%s allocates %v times, want at most %v", q.name, got, q.allocations)
		}
	}
}

// TestLookupsAllocateLittle: the memory for what is unescaped, also where the
// number is absent and counted as such.
func TestLookupsAllocateLittle(t *testing.T) {
	door := doorOf(t, 1)
	buffer, client := make([]byte, 0, 4096), netip.MustParseAddrPort("192.0.2.5:41234")
	query := []byte("number=4930123456&tenant=acme")
	if got := testing.AllocsPerRun(200, func() { door.Lookup(buffer, query, client) }); got > 1 {
		t.Errorf("%v allocations, want at most 1", got)
	}
}

func BenchmarkAnswer(b *testing.B) {
	door := doorOf(b, 20_000)
	buffer := make([]byte, 0, 4096)
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			request := Request{Method: []byte("POST"), URI: []byte(q.uri), Body: []byte(q.body)}
			b.ReportAllocs()
			for b.Loop() {
				door.Answer(context.Background(), buffer, request)
			}
		})
	}
}
