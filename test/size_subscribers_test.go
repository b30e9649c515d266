package test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// column is a column of a CSV and its value in the row of the i-th subscriber.
type column struct {
	name  string
	value func(i int) string
}

// rowsOf is a family of which each subscriber has one row.
type rowsOf struct {
	name    string
	columns []column
}

// phone is the id of the i-th subscriber.
func phone(i int) string { return fmt.Sprintf("s%07d", i) }

// always is a value that all subscribers share.
func always(text string) func(int) string { return func(int) string { return text } }

// families are what a subscriber is: an endpoint of nine set columns, and an
// auth, an aor and a number of four each.
func families() []rowsOf {
	return []rowsOf{
		{"ps_endpoints", []column{
			{"id", phone},
			{"transport", always("transport-udp")},
			{"aors", phone},
			{"auth", phone},
			{"context", always("internal")},
			{"disallow", always("all")},
			{"allow", always(`"alaw,ulaw,g722"`)},
			{"direct_media", always("no")},
			{"callerid", callerOf},
		}},
		{"ps_auths", []column{{"id", phone}, {"auth_type", always("userpass")}, {"username", phone}, {"password", passwordOf}}},
		{"ps_aors", []column{{"id", phone}, {"max_contacts", always("2")}, {"remove_existing", always("yes")}, {"qualify_frequency", always("60")}}},
		{"numbers", []column{{"number", numberOf}, {"codecs", codecsOf}, {"destination", phone}, {"note", always("desk")}}},
	}
}

func callerOf(i int) string   { return fmt.Sprintf("Desk %d <%d>", i, 4930000000+i) }
func passwordOf(i int) string { return fmt.Sprintf("%016x", uint64(i+1)*0x9e3779b97f4a7c15) }
func numberOf(i int) string   { return fmt.Sprint(4930000000 + i) }

// load gives each subscriber its row of a family.
func (r rowsOf) load(t *testing.T, h *lab.Home, subscribers int) {
	t.Helper()
	command, began := h.Command("load", r.name, r.file(t, subscribers)), time.Now()
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("load %s: %v\n%s", r.name, err, out)
	}
	spent := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	t.Logf("%s: %d rows loaded in %.1f s with %.1f s of CPU", r.name, subscribers, time.Since(began).Seconds(), spent.Seconds())
}

// file writes the CSV of a family.
func (r rowsOf) file(t *testing.T, subscribers int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), r.name+".csv")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	line := make([]string, len(r.columns))
	for k, c := range r.columns {
		line[k] = c.name
	}
	fmt.Fprintln(out, strings.Join(line, ","))
	for i := range subscribers {
		for k, c := range r.columns {
			line[k] = c.value(i)
		}
		fmt.Fprintln(out, strings.Join(line, ","))
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
