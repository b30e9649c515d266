package directory

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"asterism/internal/family"
)

// numbersOf makes a directory of n numbers, 4930000000 and on.
func numbersOf(t testing.TB, n int) *Directory {
	t.Helper()
	d := New(standard(t, "numbers"), nil)
	f, err := family.Standard().Family("numbers")
	if err != nil {
		t.Fatal(err)
	}
	rebuild := d.Begin(f)
	columns := rebuild.Columns(nil)
	b := NewBuilder(columns)
	number, _ := columns.Find([]byte("number"))
	codecs, _ := columns.Find([]byte("codecs"))
	for i := range n {
		b.Add(number, strconv.Itoa(4930000000+i))
		b.Add(codecs, "ulaw,alaw")
		rebuild.Add(b.Row())
	}
	rebuild.Commit()
	return d
}

func TestFindByKeyAllocatesNothing(t *testing.T) {
	d := numbersOf(t, 20000)
	table := d.View().Table([]byte("numbers"))
	f := func(value string, want int) {
		t.Helper()
		conditions := []Condition{{Column: []byte("tenant"), Value: nil}, {Column: []byte("number"), Value: []byte(value)}}
		sum := 0
		allocs := testing.AllocsPerRun(100, func() {
			result := table.Find(Query{Conditions: conditions}, func(r Row) bool { sum += len(r.Curl()); return false })
			if result.Rows != want {
				t.Fatalf("%d rows", result.Rows)
			}
		})
		if allocs != 0 {
			t.Errorf("Find %s: %v allocations", value, allocs)
		}
	}
	f("4930000777", 1)
	f("absent", 0)
}

// BenchmarkFind compares a lookup by key with a plain Go map of the same rows.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{500, 20_000, 1_000_000} {
		d := numbersOf(b, n)
		table := d.View().Table([]byte("numbers"))
		plain := make(map[string]Row, n) // a Row is a pointer
		table.Each(func(r Row) bool { plain[r.Value(1)] = r; return true })
		keys := make([][]byte, 1<<16)
		random := rand.New(rand.NewPCG(1, 2))
		for i := range keys {
			keys[i] = []byte(strconv.Itoa(4930000000 + random.IntN(n)))
		}
		sum := 0
		b.Run(fmt.Sprintf("map/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				sum += len(plain[string(keys[i&(len(keys)-1)])].Curl())
			}
		})
		b.Run(fmt.Sprintf("get/%d", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				row, _ := table.Get(nil, keys[i&(len(keys)-1)])
				sum += len(row.Curl())
			}
		})
		b.Run(fmt.Sprintf("find/%d", n), func(b *testing.B) {
			conditions := []Condition{{Column: []byte("number")}, {Column: []byte("tenant")}}
			for i := 0; b.Loop(); i++ {
				conditions[0].Value = keys[i&(len(keys)-1)]
				table.Find(Query{Conditions: conditions}, func(r Row) bool { sum += len(r.Curl()); return false })
			}
		})
	}
}

// BenchmarkPublish changes one contact among many.
func BenchmarkPublish(b *testing.B) {
	d := New(standard(b, "ps_contacts"), nil)
	row := func(i, at int) Row {
		return rowOf(b, d, "ps_contacts", fmt.Sprintf("id=%d", i), "expiration_time="+strconv.Itoa(at), "endpoint="+strconv.Itoa(i), "uri=sip:x@192.0.2.1")
	}
	const n = 200_000
	for i := range n {
		d.Publish("ps_contacts", []Bucket{{Key: []string{strconv.Itoa(i)}, Rows: []Row{row(i, 1760000000+i)}}})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		k := i * 7919 % n
		d.Publish("ps_contacts", []Bucket{{Key: []string{strconv.Itoa(k)}, Rows: []Row{row(k, 1770000000+i)}}})
	}
}
