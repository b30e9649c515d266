package soap

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"asterism/internal/absent"
	"asterism/internal/directory"
	families "asterism/internal/family"
	"asterism/internal/meter"
	"asterism/internal/trace"
)

// tested is a door under test.
type tested struct {
	*Door
	hungUp bool
}

// say sends a body to the door.
func (d *tested) say(contentType, action, body string) Answer {
	return d.Answer(context.Background(), nil, Call{
		Type: []byte(contentType), Action: []byte(action), Body: []byte(body), HungUp: func() bool { return d.hungUp },
	})
}

// doorOf makes a door on a directory with as many numbers, 100000 and up.
func doorOf(t testing.TB, rows int) *tested {
	t.Helper()
	d := directory.New(families.Standard().All(), nil)
	table := d.View().Table([]byte("numbers"))
	for i := range rows {
		builder := directory.NewBuilder(table.Columns())
		for _, pair := range [][2]string{{"number", fmt.Sprint(100_000 + i)}, {"codecs", "g722,alaw,ulaw"}} {
			at, ok := table.Columns().Find([]byte(pair[0]))
			if !ok {
				t.Fatalf("numbers has no column %s", pair[0])
			}
			builder.AddSQL(at, []byte(pair[1]))
		}
		row := builder.Row()
		d.Publish("numbers", []directory.Bucket{{Key: table.KeyOf(row), Rows: []directory.Row{row}}})
	}
	var names []string
	for _, table := range d.View().Tables() {
		names = append(names, table.Family().Name)
	}
	now := time.Unix(1_760_000_000, 0)
	return &tested{Door: &Door{
		Directory: d, Writes: matched{d}, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now },
		Lookups: meter.NewLookups(meter.NewVector("lookups", "", "door", "family", "outcome"), "soap", names),
		Trace:   trace.New(d), Absent: absent.New(),
	}}
}

// matched stands where package control is in a node: it counts as control does
// and writes nothing.
type matched struct{ directory *directory.Directory }

func (m matched) Update(_ context.Context, family string, conditions []directory.Condition, _ []directory.Value) (int, error) {
	query := directory.Query{Conditions: conditions}
	return m.directory.View().Table([]byte(family)).Find(query, func(directory.Row) bool { return true }).Rows, nil
}

func (m matched) Store(context.Context, string, []directory.Value) (int, error) { return 1, nil }

func (m matched) Destroy(ctx context.Context, family string, conditions []directory.Condition) (int, error) {
	return m.Update(ctx, family, conditions, nil)
}

func (m matched) Require(string, []string) bool { return true }

// asked is a call as gSOAP sends it.
func asked(body string) Call {
	return Call{Type: []byte("text/xml; charset=utf-8"), Action: []byte(`""`), Body: []byte(body)}
}

func BenchmarkDoorGetCodecs(b *testing.B) {
	door := doorOf(b, 20_000)
	buffer := make([]byte, 0, 4096)
	call := asked(ask(GetCodecs, "<ns1:number>100500</ns1:number>"))
	b.ReportAllocs()
	for b.Loop() {
		if answer := door.Answer(context.Background(), buffer, call); answer.Status != 200 {
			b.Fatal(string(answer.Body))
		}
	}
}
