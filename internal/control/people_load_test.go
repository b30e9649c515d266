package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/failure"
	"asterism/internal/store"
)

// all gives every row of a family as joinTexts writes it.
func (p *People) all(t *testing.T, name string) (rows []string) {
	t.Helper()
	err := p.List(t.Context(), name, nil, 0, func(row []store.Text) error {
		rows = append(rows, joinTexts(row))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestLoadReadsBothFormats(t *testing.T) {
	f := func(format Format, name, file string, want ...string) {
		t.Helper()
		p := newPeople(t)
		for range 2 { // it can be run again
			loaded, err := p.Load(t.Context(), name, strings.NewReader(file), LoadOptions{Format: format})
			if err != nil {
				t.Errorf("%s: %v %v", file, err, loaded)
			}
			if loaded.Rows != int64(len(want)) {
				t.Errorf("%s: %d rows", file, loaded.Rows)
			}
		}
		if diff := cmp.Diff(want, p.all(t, name)); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
	f(CSV, "numbers", "number,codecs\n+1,ulaw\n2,\"ulaw,alaw\"\n", "number=+1 codecs=ulaw", "number=2 codecs=ulaw,alaw")
	f(CSV, "numbers", "\ufeffnumber, codecs\r\n1,ulaw\r\n\r\n2,g722", "number=1 codecs=ulaw", "number=2 codecs=g722")
	f(CSV, "numbers", "codecs,number,tenant\nulaw,1,\nulaw,1,acme\n", "number=1 codecs=ulaw", "tenant=acme number=1 codecs=ulaw")
	f(CSV, "numbers", "number,codecs\n")
	f(CSV, "ps_endpoints", "id,callerid\n6001,\"\"\"Ann\"\" <6001>\"\n", `id=6001 callerid="Ann" <6001>`)
	f(CSV, "queue_members", "queue_name,interface,uniqueid\nsupport,PJSIP/1,\nsupport,PJSIP/2,\n",
		"queue_name=support interface=PJSIP/1 uniqueid=1", "queue_name=support interface=PJSIP/2 uniqueid=2")
	f(CSV, "voicemail", "context,mailbox,password,uniqueid\ndefault,1001,1,\n", "uniqueid=1 context=default mailbox=1001 password=1")
	f(JSONLines, "numbers", `{"number":"1","codecs":"ulaw"}`+"\n\n"+`{"codecs":"\u0041\"\\","number":2,"enabled":false,"note":null}`,
		"number=1 codecs=ulaw", `number=2 codecs=A"\ enabled=no`)
	f(JSONLines, "ps_endpoints", "\ufeff"+` { "id" : "6001" , "rtp_symmetric" : true , "cos_audio" : 5 } `+"\r\n", "id=6001 rtp_symmetric=yes cos_audio=5")
}

func TestLoadKeepsWhatItDoesNotName(t *testing.T) {
	p := newPeople(t)
	p.mustSet(t, "numbers", "1", "codecs=ulaw", "note=kept")
	p.mustSet(t, "numbers", "2", "codecs=ulaw", "note=kept")
	file := `{"number":"1","codecs":"g722"}` + "\n" + `{"number":"2","note":""}` + "\n"
	if _, err := p.Load(t.Context(), "numbers", strings.NewReader(file), LoadOptions{Format: JSONLines}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"number=1 codecs=g722 note=kept", "number=2 codecs=ulaw"}, p.all(t, "numbers")); diff != "" {
		t.Error(diff)
	}
}

func TestLoadReportsEveryBadLine(t *testing.T) {
	f := func(format Format, name, file string, want ...string) {
		t.Helper()
		p := newPeople(t)
		loaded, err := p.Load(t.Context(), name, strings.NewReader(file), LoadOptions{Format: format})
		var got []string
		for _, bad := range loaded.Lines {
			got = append(got, fmt.Sprintf("%d %s", bad.Number, bad.Reason))
		}
		if diff := cmp.Diff(want, got); diff != "" || failure.KindOf(err) != failure.Invalid {
			t.Errorf("%s: %s %v", file, diff, err)
		}
		if rows := p.all(t, name); len(rows) > 0 || loaded.Rows > 0 {
			t.Errorf("%s: loaded %v", file, rows)
		}
		loaded, err = p.Load(t.Context(), name, strings.NewReader(file), LoadOptions{Format: format, SkipBad: true})
		if rows := p.all(t, name); err != nil || len(rows) != int(loaded.Rows) || loaded.Rows == 0 || loaded.Bad != int64(len(want)) {
			t.Errorf("%s: without the bad lines: %v %+v %v", file, rows, loaded, err)
		}
	}
	f(CSV, "numbers", "number,codecs,enabled\n1,ulaw,yes\n,ulaw,maybe\n3,ulaw\n1,alaw,no\n5,\xff,\n",
		`3 number: empty, but it is part of the key; enabled: "maybe" is neither yes nor no`,
		"4 2 values where the header has 3 columns", "5 has the key of line 2", "6 codecs: not UTF-8")
	f(CSV, "numbers", "number,note\n1,\"two\nlines\"\n1,again\n2,a\"b\n3,\"x\"y\n",
		"4 has the key of line 2",
		"5 a quote inside a value: put the whole value in quotes and double the ones inside",
		"6 a quoted value that does not end, or goes on behind its quote: double the quotes inside it")
	f(CSV, "extensions", "context,exten,priority,app,appdata\na,1,1,NoOp,\na,1,01,NoOp,\na,1,one,NoOp,\n",
		"3 has the key of line 2", `4 priority: "one" is not a whole number`)
	f(JSONLines, "numbers", `{"number":"1"}
{"number":"1","codec":"ulaw","note":{"a":["}"]},"note":1}
{"codecs":"ulaw"}
["number"]
{"number":"1",}
{"number":"2","number":"3"}
{}
`+`{"number":"4","note":"`+strings.Repeat("x", maxLine)+`"}`+"\n"+`{"number":"1"}`,
		`2 numbers has no column "codec" (did you mean codecs?); note: an object or a list where a single value belongs`,
		"3 number missing, but part of the key", "4 no JSON object",
		"5 no JSON: invalid character '}' looking for beginning of object key string",
		"6 number: stands there twice", "7 number missing, but part of the key",
		"8 longer than 1048576 bytes", "9 has the key of line 1")
}

func TestLoadRefusesAHeaderAsAWhole(t *testing.T) {
	f := func(name, file string, want ...string) {
		t.Helper()
		_, err := newPeople(t).Load(t.Context(), name, strings.NewReader(file), LoadOptions{SkipBad: true})
		if err == nil {
			t.Fatalf("%q: no error", file)
		}
		if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
			t.Errorf("%q: %s", file, diff)
		}
	}
	f("numbers", "number,codec,number\n1,ulaw,2\n", `load numbers, header: numbers has no column "codec" (did you mean codecs?)`, "load numbers, header: number: stands there twice")
	f("numbers", "number,codecs,\n1,ulaw,\n", "load numbers, header: column 3: has no name; is there a comma too many?")
	f("numbers", "codecs\nulaw\n", "load numbers, header: number: is missing, but it is part of the key")
	f("numbers", "number;codecs\n1;ulaw\n", `load numbers, header: numbers has no column "number;codecs" (divide the columns by commas)`, "load numbers, header: number: is missing, but it is part of the key")
	f("numbers", "", "load numbers: the file is empty (its first line must name the columns, like tenant,number)")
	f("cdr", "src\n1\n", "load cdr: it is a log that Asterisk writes (bring old entries into its table with the tools of your database)")
}

func TestLoadDescribesAHundredBadLinesAndCountsAll(t *testing.T) {
	file := "number\n" + strings.Repeat("1,2\n", 250)
	loaded, err := newPeople(t).Load(t.Context(), "numbers", strings.NewReader(file), LoadOptions{})
	if err == nil || loaded.Bad != 250 || len(loaded.Lines) != maxBadLines || loaded.Lines[99].Number != 101 {
		t.Errorf("%d bad, %d described, %v", loaded.Bad, len(loaded.Lines), err)
	}
}

// manyNumbers gives a file of numbers from 1 on.
func manyNumbers(count int) string {
	var file strings.Builder
	file.WriteString("number,codecs\n")
	for i := range count {
		fmt.Fprintf(&file, "%d,ulaw\n", i+1)
	}
	return file.String()
}

func TestLoadReadsPipesAndFilesFromWhereTheyStand(t *testing.T) {
	p := newPeople(t)
	if _, err := p.Load(t.Context(), "numbers", io.MultiReader(strings.NewReader(manyNumbers(300))), LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := len(p.all(t, "numbers")); n != 300 {
		t.Errorf("%d rows of a pipe", n)
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("garbage\n"+"number,note\n1,new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Seek(int64(len("garbage\n")), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Load(t.Context(), "numbers", file, LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, want := p.got(t, "numbers", "1"), "number=1 codecs=ulaw note=new"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestLoadThatIsCutOffSaysHowFarItCame(t *testing.T) {
	p := newPeople(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const rows = 2*store.BulkRows + 10
	progress := func(phase string, _, _ int64) {
		if phase == "load" && len(p.all(t, "numbers")) > 0 {
			cancel()
		}
	}
	file := manyNumbers(rows)
	loaded, err := p.Load(ctx, "numbers", strings.NewReader(file), LoadOptions{Progress: progress})
	want := fmt.Sprintf("load numbers: stopped after %d of %d rows", store.BulkRows, rows)
	var e *failure.Error
	if !errors.As(err, &e) || e.Message != want || !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want %s", err, want)
	}
	if n := len(p.all(t, "numbers")); n != int(loaded.Rows) {
		t.Errorf("%d rows are there, %d reported", n, loaded.Rows)
	}
	if loaded, err = p.Load(t.Context(), "numbers", strings.NewReader(file), LoadOptions{}); err != nil || len(p.all(t, "numbers")) != rows {
		t.Errorf("run again: %+v %v", loaded, err)
	}
}

func TestLoadThatSQLRefusesNamesTheLines(t *testing.T) {
	_, err := newPeople(t).Load(t.Context(), "extensions", strings.NewReader("context,exten,priority\na,1,1\na,1,2\n"), LoadOptions{})
	if failure.KindOf(err) != failure.Refused || !strings.Contains(err.Error(), "lines 2 to 3") {
		t.Errorf("%v", err)
	}
}

// growing is a file that gets another line after it was read once.
type growing struct {
	*strings.Reader
	rewinds int
	later   string
}

// Seek implements io.Seeker.
func (g *growing) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart {
		if g.rewinds++; g.rewinds == 2 {
			g.Reset(g.later)
		}
	}
	return g.Reader.Seek(offset, whence)
}

func TestLoadNoticesThatTheFileChanged(t *testing.T) {
	f := func(later string) {
		t.Helper()
		file := &growing{Reader: strings.NewReader("number\n1\n2\n"), later: later}
		_, err := newPeople(t).Load(t.Context(), "numbers", file, LoadOptions{})
		if err == nil || !strings.Contains(err.Error(), "the file changed") {
			t.Errorf("%q: %v", later, err)
		}
	}
	f("number\n1\n2\n3\n")
	f("number\n1\n")
	f("number\n1\n2,3\n")
}

func TestSeenKeysFindsEachKeyAgain(t *testing.T) {
	const count = 10_000
	seen := newSeenKeys()
	key := func(i int) []byte { return fmt.Appendf(nil, "%d", i) }
	for i := range count {
		if _, again := seen.add(key(i), place{line: uint32(i)}); again {
			t.Fatalf("%d was never added", i)
		}
	}
	for i := range count {
		if first, again := seen.add(key(i), place{}); !again || first.line != uint32(i) {
			t.Fatalf("%d: line %d, %v", i, first.line, again)
		}
	}
	last := ""
	for _, entry := range seen.sorted() {
		if text := string(key(int(seen.entries[entry].line))); text <= last {
			t.Fatalf("%s comes after %s", text, last)
		} else {
			last = text
		}
	}
}

func TestLoadWritesInTheOrderOfKeys(t *testing.T) {
	f := func(format Format, file string) {
		t.Helper()
		p := newPeople(t)
		skipped, err := p.Load(t.Context(), "numbers", strings.NewReader(file), LoadOptions{Format: format, SkipBad: true})
		if err != nil || skipped.Bad != 2 || skipped.Rows != 3 {
			t.Errorf("%+v %v", skipped, err)
		}
		want := []string{"number=1 note=a\nb", "number=2 note=x,\"y", "tenant=acme number=1 note=c"}
		if diff := cmp.Diff(want, p.all(t, "numbers")); diff != "" {
			t.Error(diff)
		}
	}
	f(CSV, "\ufefftenant,number,note\nacme,1,c\n\n,,bad\n,2,\"x,\"\"y\"\nbad\n,1,\"a\nb\"")
	f(JSONLines, "\ufeff"+`{"tenant":"acme","number":1,"note":"c"}

{"number":""}
{"number":2,"note":"x,\"y"}
bad
{"note":"a\nb","number":1}`)
}

func TestLoadKeepsShuffledRowsApart(t *testing.T) {
	const count = 2*pieceRows + 500
	var file strings.Builder
	file.WriteString("number,note\n")
	for i := range count {
		n := i * 7919 % count // 7919 is a prime
		fmt.Fprintf(&file, "%d,%s\n", n, strings.Repeat("x", n%50+1))
	}
	p := newPeople(t)
	if _, err := p.Load(t.Context(), "numbers", strings.NewReader(file.String()), LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	rows := p.all(t, "numbers")
	if len(rows) != count || !slices.IsSorted(rows) {
		t.Errorf("%d rows, in order: %v", len(rows), slices.IsSorted(rows))
	}
	for _, row := range rows {
		number, note, _ := strings.Cut(strings.TrimPrefix(row, "number="), " note=")
		if n, err := strconv.Atoi(number); err != nil || len(note) != n%50+1 {
			t.Fatalf("%s", row)
		}
	}
}
