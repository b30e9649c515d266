package number

import (
	"testing"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// table makes a directory of numbers: rows of tenant, number, codecs, enabled.
func table(t *testing.T, rows ...[4]string) *directory.Table {
	t.Helper()
	f, err := family.Standard().Family(Family)
	if err != nil {
		t.Fatal(err)
	}
	d := directory.New([]*family.Family{f}, nil)
	rebuild := d.Begin(f)
	columns := rebuild.Columns(nil)
	b := directory.NewBuilder(columns)
	for _, row := range rows {
		for i, name := range []string{"tenant", "number", "codecs", "enabled"} {
			at, _ := columns.Position(name)
			b.Add(at, row[i])
		}
		rebuild.Add(b.Row())
	}
	rebuild.Commit()
	return d.View().Table([]byte(Family))
}

func TestCodecsOfANumber(t *testing.T) {
	numbers := table(t,
		[4]string{"", "1", "ulaw,alaw", ""}, [4]string{"acme", "1", "opus", "yes"},
		[4]string{"", "2", "g722", "no"}, [4]string{"acme", "3", "g729", ""}, [4]string{"", "4", "", ""}, [4]string{"", "6", "opus;alaw", ""})
	f := func(tenant, number, want string) {
		t.Helper()
		if got := Codecs(numbers, []byte(tenant), []byte(number)); got != want {
			t.Errorf("tenant %q number %q: %q, want %q", tenant, number, got, want)
		}
	}
	f("", "1", "ulaw,alaw")
	f("acme", "1", "opus")
	f("other", "1", "ulaw,alaw") // the shared tenant is asked second
	f("", "2", "")               // not enabled
	f("", "3", "")               // of another tenant
	f("acme", "3", "g729")
	f("", "4", "")
	f("", "", "")
	f("", "5", "")
	f("", "6", "opus,alaw")
}

func TestADisabledNumberIsStillARow(t *testing.T) {
	entry, found := Lookup(table(t, [4]string{"", "2", "g722", "no"}), nil, []byte("2"))
	if !found || entry.Enabled() || entry.Text("codecs") != "g722" || entry.Text("nosuch") != "" {
		t.Errorf("found %v, enabled %v, codecs %q", found, entry.Enabled(), entry.Text("codecs"))
	}
}

func TestALookupAllocatesNothing(t *testing.T) {
	numbers := table(t, [4]string{"", "1", "ulaw,alaw", ""})
	tenant, number := []byte("acme"), []byte("1")
	if allocs := testing.AllocsPerRun(100, func() {
		if Codecs(numbers, tenant, number) != "ulaw,alaw" {
			t.Fatal("another answer")
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestATenantsDisabledNumberHidesTheSharedOne(t *testing.T) {
	for _, no := range []string{"no", "NO", "false", "off", "0", "n", "f"} {
		numbers := table(t, [4]string{"", "1", "ulaw", ""}, [4]string{"acme", "1", "opus", no})
		if got := Codecs(numbers, []byte("acme"), []byte("1")); got != "" {
			t.Errorf("enabled %q: %q", no, got)
		}
		if got := Codecs(numbers, nil, []byte("1")); got != "ulaw" {
			t.Errorf("the shared one: %q", got)
		}
	}
}
