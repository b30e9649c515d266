package directory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// phones makes a directory with listings of a policy: "policy of endpoints/of AORs".
func phones(t testing.TB, policies string) *Directory {
	t.Helper()
	of, aors, _ := strings.Cut(policies, "/")
	return New(standard(t, "ps_endpoints", "ps_aors", "ps_contacts", "ps_auths"), map[string]string{"ps_endpoints": of, "ps_aors": aors})
}

// put publishes a row of a family whose key is its id.
func put(t testing.TB, d *Directory, name string, pairs ...string) {
	t.Helper()
	row := rowOf(t, d, name, pairs...)
	d.Publish(name, []Bucket{{Key: d.View().Table([]byte(name)).KeyOf(row), Rows: []Row{row}}})
}

// listed gives the ids that a listing at 1,000 seconds answers, in order.
func listed(d *Directory, name, aor string, conditions ...string) string {
	if len(conditions) == 0 {
		conditions = []string{"id LIKE %"}
	}
	var out []string
	d.View().Table([]byte(name)).Find(Query{Conditions: conditionsOf(conditions...), Now: 1000, AOR: []byte(aor)}, func(r Row) bool {
		out = append(out, r.Value(0))
		return true
	})
	return strings.Join(out, " ")
}

func TestActiveListsWhatCanBeReached(t *testing.T) {
	d := phones(t, "active/active")
	for _, aor := range []string{"6001", "6002", "6003", "6004", "6", "60", "trunk", "empty"} {
		put(t, d, "ps_aors", "id="+aor)
	}
	put(t, d, "ps_aors", "id=trunk", "contact=sip:192.0.2.1")
	put(t, d, "ps_contacts", "id=6002^3B@aa", "expiration_time=1000")
	put(t, d, "ps_contacts", "id=6003^3B@aa", "expiration_time=999") // over
	put(t, d, "ps_contacts", "id=6004^3B@aa", "expiration_time=999")
	put(t, d, "ps_contacts", "id=6004^3B@bb", "expiration_time=0") // never over
	put(t, d, "ps_contacts", "id=elsewhere^3B@aa", "expiration_time=2000")
	for id, aors := range map[string]string{
		"6001": "6001", "6002": "6002", "6003": "6003", "several": "6001, 6002 ,6003", "over": "6001,6003", "line": "trunk",
		"": "", "none": "", "commas": ",,", "prefix": "60,6", "file": "elsewhere", "6004": " 6004 ",
	} {
		put(t, d, "ps_endpoints", "id="+id, "aors="+aors)
	}
	f := func(name, want string, conditions ...string) {
		t.Helper()
		if got := listed(d, name, "", conditions...); got != want {
			t.Errorf("%s %v: %q, want %q", name, conditions, got, want)
		}
	}
	f("ps_endpoints", "several line file 6004 6002")
	f("ps_endpoints", "several line file 6004 6002", "id LIKE %%")
	f("ps_aors", "trunk 6004 6002")
	f("ps_contacts", "elsewhere;@aa 6004;@bb 6002;@aa")
	// Whatever is no question for all rows is answered in full.
	f("ps_endpoints", "6001 6002 6003 6004", "id LIKE 600%")
	f("ps_endpoints", "6001 6002 6003 6004", "id LIKE %00%")
	f("ps_endpoints", "6001 6002 6003 6004", "id LIKE %", "id LIKE 6%")
	f("ps_endpoints", "6003", "id = 6003")
	f("ps_endpoints", "6003", "aors = 6003")
	f("ps_aors", "6 60 6001 6002 6003 6004", "id LIKE 6%")

	put(t, d, "ps_contacts", "id=6001^3B@aa", "expiration_time=1600") // it registers
	f("ps_aors", "trunk 6004 6002 6001")
	f("ps_endpoints", "several over line file 6004 6002 6001")
	put(t, d, "ps_aors", "id=trunk")
	f("ps_endpoints", "several over file 6004 6002 6001")
}

func TestListingsOfOtherPolicies(t *testing.T) {
	f := func(policies, endpoints, aors string) {
		t.Helper()
		d := phones(t, policies)
		put(t, d, "ps_endpoints", "id=a", "aors=a")
		put(t, d, "ps_endpoints", "id=b", "aors=b")
		put(t, d, "ps_aors", "id=a")
		put(t, d, "ps_aors", "id=b")
		put(t, d, "ps_contacts", "id=b^3B@aa", "expiration_time=1600")
		if got := listed(d, "ps_endpoints", ""); got != endpoints {
			t.Errorf("%s: endpoints %q, want %q", policies, got, endpoints)
		}
		if got := listed(d, "ps_aors", ""); got != aors {
			t.Errorf("%s: AORs %q, want %q", policies, got, aors)
		}
		if got := listed(d, "ps_endpoints", "", "id = a"); got != "a" {
			t.Errorf("%s: a itself is %q", policies, got)
		}
	}
	f("/", "b a", "b a")
	f("all/all", "b a", "b a")
	f("active/active", "b", "b")
	f("none/none", "", "")
	f("asked/active", "b", "b")
	f("asked/none", "", "")
}

// TestListingsDescendAsAsteriskCompares: its list is sorted by strcmp, the order of
// unsigned bytes.
func TestListingsDescendAsAsteriskCompares(t *testing.T) {
	d := phones(t, "all/all")
	ids := []string{"10", "9", "100", "a", "B", "ä", "a-b", "a_b", "a.b", "~", "00", "é", "\xff"}
	for _, id := range ids {
		put(t, d, "ps_aors", "id="+id)
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	if got, want := listed(d, "ps_aors", ""), strings.Join(ids, " "); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAListingOfTheActiveIsNeverQuick: it looks at all contacts, which would keep
// a loop that serves others from its work.
func TestAListingOfTheActiveIsNeverQuick(t *testing.T) {
	f := func(policies string, rows int, aor string, slow bool) {
		t.Helper()
		d := phones(t, policies)
		for i := range rows {
			id := strconv.Itoa(i)
			put(t, d, "ps_endpoints", "id="+id, "aors="+id)
		}
		q := Query{Conditions: conditionsOf("id LIKE %"), Quick: true, AOR: []byte(aor)}
		if got := d.View().Table([]byte("ps_endpoints")).Find(q, func(Row) bool { return true }); got.Slow != slow {
			t.Errorf("%s, %d rows, AOR %q: slow %v", policies, rows, aor, got.Slow)
		}
	}
	f("active/active", 1, "", true)
	f("asked/active", 1, "", true)
	f("asked/active", 1000, "5", false)
	f("none/none", 1000, "", false)
	f("all/all", 10, "", false)
	f("all/all", 1000, "", true)
}

// BenchmarkActiveListing lists the active of 200,000 endpoints.
func BenchmarkActiveListing(b *testing.B) {
	const n = 200_000
	d := phones(b, "active/active")
	fill := func(name string, count int, pairs func(id string) []string) {
		rebuild := d.Begin(standard(b, name)[0])
		rebuild.Columns(nil)
		for i := range count {
			rebuild.Add(rowOf(b, d, name, pairs(strconv.Itoa(1_000_000+i*(n/count)))...))
		}
		rebuild.Commit()
	}
	fill("ps_endpoints", n, func(id string) []string {
		return []string{"id=" + id, "aors=" + id, "auth=" + id, "context=phones", "disallow=all", "allow=ulaw,alaw,g722"}
	})
	fill("ps_aors", n, func(id string) []string { return []string{"id=" + id, "max_contacts=1"} })
	for _, contacts := range []int{1000, n} {
		fill("ps_contacts", contacts, func(id string) []string {
			return []string{"id=" + id + "^3B@c4fa77590513a6b0e3a4223d63c49aac", "uri=sip:" + id + "@192.0.2.5:5060", "expiration_time=4102444800"}
		})
		for _, name := range []string{"ps_endpoints", "ps_aors"} {
			b.Run(fmt.Sprintf("%s/contacts=%d", name, contacts), func(b *testing.B) {
				table := d.View().Table([]byte(name))
				q := Query{Conditions: conditionsOf("id LIKE %"), Now: 1000}
				for b.Loop() {
					if got := table.Find(q, func(Row) bool { return true }); got.Rows != contacts {
						b.Fatalf("%d rows", got.Rows)
					}
				}
			})
		}
	}
}
