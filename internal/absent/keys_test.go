package absent

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/directory"
)

// noon is the beginning of a minute.
const noon = 1_760_000_040

var here = netip.MustParseAddr("192.0.2.5")

func equals(column, value string) []directory.Condition {
	return []directory.Condition{{Column: []byte(column), Value: []byte(value)}}
}

func (k *Keys) missedOften(n int, address netip.Addr, value string, now int64) {
	conditions := equals("id", value)
	for range n {
		k.Missed(address, "ps_endpoints", conditions, now)
	}
}

func TestTheMostAskedAreCountedPerClient(t *testing.T) {
	k := New()
	k.missedOften(5000, here, "scanner", noon)
	k.missedOften(7, netip.MustParseAddr("::ffff:192.0.2.9"), "scanner", noon+1)
	k.missedOften(3, here, "6001@example.com", noon+1)
	k.Missed(here, "ps_contacts", []directory.Condition{{Column: []byte("id"), Op: directory.Like, Value: []byte("6001;@%")}}, noon+2)
	k.Missed(here, "extensions", append(equals("context", "in"), equals("exten", "7")...), noon+2)
	want := []Key{
		{"192.0.2.5", "ps_endpoints", "id=scanner", 5000},
		{"192.0.2.9", "ps_endpoints", "id=scanner", 7},
		{"192.0.2.5", "ps_endpoints", "id=6001@example.com", 3},
		{"192.0.2.5", "extensions", "context=in, exten=7", 1},
		{"192.0.2.5", "ps_contacts", "id LIKE 6001;@%", 1},
	}
	if diff := cmp.Diff(want, k.Top(noon+3, 10, 10)); diff != "" {
		t.Error(diff)
	}
	if got := k.Top(noon+3, 1, 10); len(got) != 2 {
		t.Errorf("one of each client: %v", got)
	}
	if got := k.Top(noon+3, 10, 2); len(got) != 2 {
		t.Errorf("two in all: %v", got)
	}
}

func TestWhatNamesNoKeyIsPassedOver(t *testing.T) {
	k := New()
	f := func(op directory.Op, value string) {
		t.Helper()
		k.Missed(here, "ps_contacts", []directory.Condition{{Column: []byte("id"), Op: op, Value: []byte(value)}}, noon)
		if got := k.Top(noon, 10, 10); len(got) > 0 {
			t.Errorf("%v %s: %v", op, value, got)
		}
	}
	f(directory.Like, "%")
	f(directory.Like, `\_%`)
	f(directory.LessEqual, "1760000000")
	f(directory.NotEqual, "a")
	f(directory.Equal, "")
	var nobody *Keys
	nobody.Missed(here, "ps_contacts", equals("id", "1"), noon)
	if nobody.Top(noon, 1, 1) != nil {
		t.Error("a nil count counts")
	}
}

func TestCountsAreThoseOfTheLastMinute(t *testing.T) {
	k := New()
	k.missedOften(600, here, "a", noon)
	f := func(now int64, want int) {
		t.Helper()
		got := 0
		for _, key := range k.Top(now, 10, 10) {
			got += key.Count
		}
		if got != want {
			t.Errorf("after %d s: %d, want %d", now-noon, got, want)
		}
	}
	f(noon+59, 600)
	f(noon+60, 600)
	f(noon+90, 300) // half of that minute is not longer ago than 60 s
	k.missedOften(5, here, "a", noon+90)
	f(noon+90, 305)
	f(noon+119, 15)
	f(noon+120, 5)
	f(noon+200, 0)
	k.missedOften(5, here, "a", noon+100) // a clock that steps back
	f(noon+200, 5)
}

func TestStrangersDoNotMakeItGrow(t *testing.T) {
	k := New()
	for i := range 100_000 {
		k.Missed(here, "ps_endpoints", equals("id", fmt.Sprint("stranger", i)), noon)
		if i%10 == 0 {
			k.missedOften(1, here, "often", noon)
		}
	}
	for i := range 1000 {
		k.missedOften(2, netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), "x", noon)
	}
	if n := len(*k.clients.Load()); n != MaxClients {
		t.Errorf("%d clients, want %d", n, MaxClients)
	}
	top := k.Top(noon, 1000, 1000_000)
	if most := (MaxClients + 1) * KeysPerClient; len(top) > most {
		t.Errorf("%d keys, want at most %d", len(top), most)
	}
	shared := 0
	for _, key := range top {
		switch {
		case key.Client == Others:
			shared = key.Count
		case key.Key == "id=often":
			if key.Count > 10_000 || key.Count < 10_000-110_000/KeysPerClient {
				t.Errorf("%d of 10,000 questions", key.Count)
			}
		case strings.HasPrefix(key.Key, "id=stranger") && key.Count > 1:
			t.Errorf("%v was asked for once", key)
		}
	}
	if want := 2 * (1000 - MaxClients + 1); shared != want {
		t.Errorf("%d under %s, want %d", shared, Others, want)
	}
	if top[0].Key != "id=often" || top[1].Client != Others {
		t.Errorf("most asked: %v", top[:2])
	}
	k.missedOften(1, netip.MustParseAddr("2001:db8::1"), "x", noon+180)
	if got := k.Top(noon+180, 10, 10); len(got) != 1 || got[0].Client != "2001:db8::1" || len(*k.clients.Load()) != 1 {
		t.Errorf("a new client after two silent minutes: %v", got)
	}
}

func TestWhatStrangersSendIsShownHarmless(t *testing.T) {
	k := New()
	f := func(value, want string) {
		t.Helper()
		k = New()
		k.missedOften(1, here, value, noon)
		got := k.Top(noon, 1, 1)
		if len(got) != 1 || got[0].Key != want || !utf8.ValidString(got[0].Key) {
			t.Errorf("%q: %v, want %q", value, got, want)
		}
	}
	f("a\x1b[31m\n", "id=a\uFFFD[31m\uFFFD")
	f("\xff\u202e", "id=\uFFFD\uFFFD")
	f(strings.Repeat("é", 100), "id="+strings.Repeat("é", 62))
	f(strings.Repeat("a", 64<<10), "id="+strings.Repeat("a", MaxText-3))
	k = New()
	k.missedOften(1, here, "\xfe", noon)
	k.missedOften(1, here, "\xff", noon)
	k.Missed(here, "ps_auths", equals("password", "geheim"), noon)
	want := []Key{{"192.0.2.5", "ps_endpoints", "id=\uFFFD", 2}, {"192.0.2.5", "ps_auths", "password=[secret]", 1}}
	if diff := cmp.Diff(want, k.Top(noon, 9, 9)); diff != "" {
		t.Error(diff)
	}
}

func TestManyLoopsCountAtOnce(t *testing.T) {
	k := New()
	var loops sync.WaitGroup
	for i := range 8 {
		loops.Go(func() {
			for n := range 1000 {
				k.missedOften(1, netip.AddrFrom4([4]byte{10, 0, 0, byte(n % 100)}), "x", noon)
				k.missedOften(1, here, fmt.Sprint(n%10), noon)
				if n%100 == i {
					k.Top(noon, 5, 5)
				}
			}
		})
	}
	loops.Wait()
	sum := 0
	for _, key := range k.Top(noon, 100, 10_000) {
		sum += key.Count
	}
	if sum < 8*2000-8*1000 || sum > 8*2000 {
		t.Errorf("%d of %d", sum, 8*2000)
	}
}

func TestAKnownKeyAllocatesNothing(t *testing.T) {
	k := New()
	k.missedOften(1, here, "scanner", noon)
	conditions := equals("id", "scanner")
	if n := testing.AllocsPerRun(1000, func() { k.Missed(here, "ps_endpoints", conditions, noon) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	i := 0
	if n := testing.AllocsPerRun(1000, func() {
		i++
		conditions[0].Value = append(conditions[0].Value[:0], byte(i), byte(i>>8))
		k.Missed(here, "ps_endpoints", conditions, noon)
	}); n != 0 {
		t.Errorf("%v allocations of new keys", n)
	}
}

func BenchmarkMissed(b *testing.B) {
	b.Run("the same key", func(b *testing.B) {
		k, conditions := New(), equals("id", "100500@example.com")
		b.ReportAllocs()
		for b.Loop() {
			k.Missed(here, "ps_endpoints", conditions, noon)
		}
	})
	b.Run("20,000 keys by turns", func(b *testing.B) {
		k, conditions := New(), equals("id", "100500@example.com")
		value, i := conditions[0].Value, 0
		b.ReportAllocs()
		for b.Loop() {
			i = (i + 1) % 20_000
			value[0], value[1] = byte(i), byte(i>>8)
			k.Missed(here, "ps_endpoints", conditions, noon)
		}
	})
	b.Run("loops at once", func(b *testing.B) {
		k := New()
		b.RunParallel(func(pb *testing.PB) {
			conditions := equals("id", "100500@example.com")
			for pb.Next() {
				k.Missed(here, "ps_endpoints", conditions, noon)
			}
		})
	})
}
