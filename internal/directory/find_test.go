package directory

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"unsafe"

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

// BenchmarkFind compares a lookup by key with a Go map of the same rows by the same
// key (a Row is a pointer): numbers by tenant and number, endpoints by id.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{20_000, 1_000_000, 10_000_000} {
		table := numbersOf(b, n).View().Table([]byte("numbers"))
		keys := randomKeys(n, 4930000000)
		plain := make(map[[2]string]Row, n)
		table.Each(func(r Row) bool { plain[[2]string{r.Value(0), r.Value(1)}] = r; return true })
		compare(b, fmt.Sprintf("numbers/%d", n), func(i int) Row {
			return plain[[2]string{"", unsafe.String(&keys[i][0], len(keys[i]))}]
		}, func(i int) Row {
			row, _ := table.Get(nil, keys[i])
			return row
		})
		if n > 1_000_000 {
			continue
		}
		conditions := []Condition{{Column: []byte("number")}, {Column: []byte("tenant")}}
		sum := 0
		b.Run(fmt.Sprintf("numbers/%d/find", n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				conditions[0].Value = keys[i&(len(keys)-1)]
				table.Find(Query{Conditions: conditions}, func(r Row) bool { sum += len(r.Curl()); return false })
			}
		})
	}
	for _, n := range []int{20_000, 1_000_000} {
		table := endpointsOf(b, n).View().Table([]byte("ps_endpoints"))
		keys := randomKeys(n, 10000000)
		plain := make(map[string]Row, n)
		table.Each(func(r Row) bool { plain[r.Value(0)] = r; return true })
		compare(b, fmt.Sprintf("endpoints/%d", n), func(i int) Row { return plain[string(keys[i])] }, func(i int) Row {
			row, _ := table.Get(keys[i])
			return row
		})
	}
}

// randomKeys are keys of n rows from first on.
func randomKeys(n, first int) [][]byte {
	keys := make([][]byte, 1<<16)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range keys {
		keys[i] = []byte(strconv.Itoa(first + random.IntN(n)))
	}
	return keys
}

// compare measures two ways to the same rows.
func compare(b *testing.B, name string, plain, get func(i int) Row) {
	sum := 0
	for i := range 1000 {
		if !get(i).equal(plain(i)) {
			b.Fatalf("%s: the ways differ", name)
		}
	}
	for way, find := range map[string]func(int) Row{"map": plain, "get": get} {
		b.Run(name+"/"+way, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				sum += len(find(i & (1<<16 - 1)).Curl())
			}
		})
	}
}

// endpointsOf makes a directory of n endpoints, 10000000 and on, of nine columns.
func endpointsOf(t testing.TB, n int) *Directory {
	t.Helper()
	d := New(standard(t, "ps_endpoints"), nil)
	rebuild := d.Begin(d.View().Table([]byte("ps_endpoints")).Family())
	columns := rebuild.Columns(nil)
	b := NewBuilder(columns)
	for i := range n {
		id := strconv.Itoa(10000000 + i)
		for name, value := range map[string]string{
			"id": id, "aors": id, "auth": id, "transport": "transport-udp", "context": "from-internal", "disallow": "all",
			"allow": "opus,g722,alaw", "direct_media": "no", "callerid": `"Phone" <` + id + ">",
		} {
			at, _ := columns.Find([]byte(name))
			b.Add(at, value)
		}
		rebuild.Add(b.Row())
	}
	rebuild.Commit()
	return d
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
