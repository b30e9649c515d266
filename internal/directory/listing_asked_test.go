package directory

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestAListingNarrowedToAnAOR compares it, after every kind of change, with a look
// at every row.
func TestAListingNarrowedToAnAOR(t *testing.T) {
	d := phones(t, "asked/active")
	table := func() *Table { return d.View().Table([]byte(endpoints)) }
	f := func(when string) {
		t.Helper()
		for _, aor := range []string{"0", "1", "2", "3", "absent", "1,2"} {
			var want []string
			table().Each(func(r Row) bool {
				column, _ := table().Columns().Position("aors")
				for name := range strings.SplitSeq(r.Value(column), ",") {
					if strings.TrimSpace(name) == aor {
						want = append(want, r.Value(0))
						break
					}
				}
				return true
			})
			slices.Sort(want)
			slices.Reverse(want)
			if got := listed(d, endpoints, aor); got != strings.Join(want, " ") {
				t.Fatalf("%s: of AOR %s %q, want %q", when, aor, got, want)
			}
		}
	}
	f("empty")
	random := rand.New(rand.NewPCG(4, 5))
	lists := []string{"aors=0", "aors=1", "aors=2", "aors=1,2", "aors= 1 ", "aors=3, 1 ,0", "context=none", "aors=,", "aors=2,2"}
	for i := range 300 {
		id := strconv.Itoa(random.IntN(40))
		if random.IntN(4) == 0 {
			d.Publish(endpoints, []Bucket{{Key: []string{id}}})
		} else {
			put(t, d, endpoints, "id="+id, lists[random.IntN(len(lists))])
		}
		f("change " + strconv.Itoa(i))
	}
	before := d.View()
	rebuild := d.Begin(standard(t, endpoints)[0])
	rebuild.Columns(nil)
	for i, list := range lists {
		rebuild.Add(rowOf(t, d, endpoints, "id="+strconv.Itoa(i), list))
	}
	rebuild.Commit()
	f("rebuilt")
	if before.Table([]byte(endpoints)).Count() == table().Count() {
		t.Error("the rebuild changed nothing")
	}
}

// TestOnlyQuestionsForAllRowsAreNarrowed: an AOR at hand changes no other answer,
// and none of a table that is listed otherwise.
func TestOnlyQuestionsForAllRowsAreNarrowed(t *testing.T) {
	f := func(policies, name, aor, want string, conditions ...string) {
		t.Helper()
		d := phones(t, policies)
		for _, id := range []string{"1", "2", "3"} {
			put(t, d, "ps_endpoints", "id="+id, "aors="+id, "mailboxes="+id)
			put(t, d, "ps_aors", "id="+id)
			put(t, d, "ps_contacts", "id="+id+"^3B@aa", "expiration_time=1600")
		}
		if got := listed(d, name, aor, conditions...); got != want {
			t.Errorf("%s: %s %v near %q: %q, want %q", policies, name, conditions, aor, got, want)
		}
	}
	f("asked/active", "ps_endpoints", "2", "2")
	f("asked/none", "ps_endpoints", "2", "2")
	f("asked/active", "ps_endpoints", "", "3 2 1")
	f("asked/none", "ps_endpoints", "", "")
	f("asked/active", "ps_endpoints", "2", "1 2 3", "mailboxes != ")
	f("asked/active", "ps_endpoints", "2", "3", "id LIKE 3%")
	f("asked/active", "ps_endpoints", "2", "3", "aors = 3")
	f("asked/active", "ps_aors", "2", "3 2 1")
	f("active/active", "ps_endpoints", "2", "3 2 1")
	f("all/all", "ps_endpoints", "2", "3 2 1")
	f("none/none", "ps_endpoints", "2", "")
}
