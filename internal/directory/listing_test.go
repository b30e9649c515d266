package directory

import (
	"fmt"
	"testing"
)

// TestTheLengthOfAListingIsKnown compares it with the rows after every kind of
// change.
func TestTheLengthOfAListingIsKnown(t *testing.T) {
	d := New(standard(t, "ps_aors"), nil)
	everything := Query{Conditions: conditionsOf("id LIKE %")}
	f := func(when string, rows int) {
		t.Helper()
		length, all, ok := d.View().Table([]byte("ps_aors")).Whole(everything)
		if !ok {
			t.Fatalf("%s: a listing of all is none", when)
		}
		n, want := 0, 0
		for r := range all {
			n, want = n+1, want+len(r.Curl())+1
		}
		if n != rows || length != want {
			t.Errorf("%s: %d rows of %d bytes, known as %d bytes; want %d rows", when, n, want, length, rows)
		}
	}
	row := func(id string, pairs ...string) Bucket {
		return Bucket{[]string{id}, []Row{rowOf(t, d, "ps_aors", append([]string{"id=" + id}, pairs...)...)}}
	}
	f("empty", 0)
	for i := range 100 {
		d.Publish("ps_aors", []Bucket{row(fmt.Sprintf("%03d", i), "contact=sip:a b")})
	}
	f("filled", 100)
	d.Publish("ps_aors", []Bucket{row("007", "max_contacts=1", "contact=sip:100%"), {[]string{"008"}, nil}, row("007")})
	f("changed", 99)
	d.Lay([]Write{{ID: 1, Family: "ps_aors", Key: []string{"009"}, Kind: Change, Values: []Value{{Column: "new_option", Values: []string{"a", "b;c"}}}}})
	f("overlaid", 99)
	d.Lay([]Write{{ID: 2, Family: "ps_aors", Key: []string{"010"}, Kind: Delete}, {ID: 3, Family: "ps_aors", Key: []string{"new"}, Kind: Put, Values: []Value{{Column: "id", Values: []string{"new"}}}}})
	f("a row less, a row more", 99)
	d.Lift("ps_aors", [][]string{{"009"}, {"010"}, {"new"}}, 3)
	f("lifted", 99)
	rebuild := d.Begin(standard(t, "ps_aors")[0])
	rebuild.Columns([]string{"id"})
	rebuild.Add(row("011").Rows[0])
	rebuild.Commit()
	f("rebuilt", 1)
}

func TestWhatIsNoListingOfAll(t *testing.T) {
	f := func(family, policy string, conditions ...string) {
		t.Helper()
		d := New(standard(t, family), map[string]string{family: policy})
		if _, _, ok := d.View().Table([]byte(family)).Whole(Query{Conditions: conditionsOf(conditions...)}); ok {
			t.Errorf("%v of %s (%s) is taken for all rows", conditions, family, policy)
		}
	}
	f("ps_aors", "all", "id LIKE 6%")
	f("ps_aors", "all", "contact LIKE %")
	f("ps_aors", "all", "id NOT_LIKE %")
	f("ps_aors", "all", "id = %")
	f("ps_aors", "all", "nosuch LIKE %")
	f("ps_aors", "all", "id LIKE %", "max_contacts = 1")
	f("ps_aors", "all")
	f("ps_aors", "active", "id LIKE %")
	f("ps_aors", "none", "id LIKE %")
	f("ps_contacts", "all", "id LIKE %") // expired ones are hidden
	f("ps_subscription_persistence", "none", "id LIKE %")
	f("queues", "all", "name LIKE %") // ascending, through its index
}
