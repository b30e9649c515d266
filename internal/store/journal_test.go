package store

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"asterism/internal/directory"
	"asterism/internal/failure"
)

func openJournal(t *testing.T, path string) *Journal {
	t.Helper()
	j, err := OpenJournal(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func expectEntries(t *testing.T, j *Journal, after int64, want ...directory.Write) {
	t.Helper()
	got, err := j.Entries(t.Context(), after)
	if err != nil || !reflect.DeepEqual(got, append([]directory.Write(nil), want...)) {
		t.Errorf("entries after %d: %v, want %v (%v)", after, got, want, err)
	}
}

func expectLast(t *testing.T, j *Journal, want int64) {
	t.Helper()
	if got, err := j.Last(t.Context()); got != want || err != nil {
		t.Errorf("the last number is %d, want %d (%v)", got, want, err)
	}
}

func appendTo(t *testing.T, j *Journal, writes ...directory.Write) {
	t.Helper()
	if err := j.Append(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
}

var (
	contact = directory.Write{
		ID: 1, At: 1_700_000_000_000, Family: "ps_contacts", Key: []string{"6001;@x"}, Kind: directory.Put,
		Values: []directory.Value{{Column: "id", Values: []string{"6001;@x"}}, {Column: "path", Values: []string{"a", "b;c"}}, {Column: "uri"}},
	}
	event   = directory.Write{ID: 2, Family: "queue_log", Kind: directory.Append, Values: []directory.Value{{Column: "event", Values: []string{"M\xfcller \x00 \""}}}}
	removal = directory.Write{ID: 3, Family: "queue_members", Key: []string{"support", ""}, Kind: directory.Delete}
)

func TestTheJournalSurvivesReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spool.db")
	j := openJournal(t, path)
	expectLast(t, j, 0)
	life := j.Life()
	if life == "" {
		t.Fatal("no life")
	}
	appendTo(t, j, contact, event)
	appendTo(t, j, removal)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openJournal(t, path)
	if j.Life() != life {
		t.Errorf("life %s became %s", life, j.Life())
	}
	expectEntries(t, j, 0, contact, event, removal)
	expectEntries(t, j, 2, removal)
	expectLast(t, j, 3)
	if other := openJournal(t, path+"2"); other.Life() == life {
		t.Error("two files have one life")
	}
	if stat, err := os.Stat(path); err != nil || stat.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", stat, err)
	}
}

func TestForgettingKeepsWhatIsNewer(t *testing.T) {
	j := openJournal(t, filepath.Join(t.TempDir(), "spool.db"))
	appendTo(t, j, contact, event, removal)
	if err := j.Forget(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	expectEntries(t, j, 0, removal)
	appendTo(t, j, removal) // the same again, since it was not sure whether the disk has it
	expectEntries(t, j, 0, removal)
	expectLast(t, j, 3)
}

func TestRefusedWritesAreKeptUntilTheyAreTriedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spool.db")
	j := openJournal(t, path)
	appendTo(t, j, contact, event, removal)
	why := errors.New("uri is too long")
	if err := j.Refuse(t.Context(), []Refusal{{contact, why}, {removal, why}}); err != nil {
		t.Fatal(err)
	}
	if err := j.Forget(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = openJournal(t, path)
	expectLast(t, j, 3)
	if got, err := j.Refused(t.Context()); err != nil || !reflect.DeepEqual(got, []directory.Write{contact, removal}) {
		t.Errorf("refused: %v, %v", got, err)
	}
	rows, err := j.RefusedRows(t.Context())
	if want := []RefusedRow{{"ps_contacts", contact.Key, why.Error()}, {"queue_members", removal.Key, why.Error()}}; err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("refused rows: %v, want %v (%v)", rows, want, err)
	}
	again := contact
	again.ID = 4
	if err := j.Retry(t.Context(), []int64{contact.ID}, []directory.Write{again}); err != nil {
		t.Fatal(err)
	}
	expectEntries(t, j, 0, again)
	if got, err := j.Refused(t.Context()); err != nil || !reflect.DeepEqual(got, []directory.Write{removal}) {
		t.Errorf("still refused: %v, %v", got, err)
	}
}

func TestAFullDiskIsToldApart(t *testing.T) {
	j := openJournal(t, filepath.Join(t.TempDir(), "spool.db"))
	if err := j.LimitPages(t.Context(), 12); err != nil {
		t.Fatal(err)
	}
	big := contact
	big.Values = []directory.Value{{Column: "path", Values: []string{string(make([]byte, 16_000))}}}
	var err error
	for big.ID = 1; big.ID < 20 && err == nil; big.ID++ {
		err = j.Append(t.Context(), []directory.Write{big})
	}
	if failure.KindOf(err) != failure.Full {
		t.Fatalf("%v", err)
	}
	if err := j.LimitPages(t.Context(), 1<<30); err != nil {
		t.Fatal(err)
	}
	appendTo(t, j, event)
}

func TestEntriesComeBackAsTheyWere(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	texts := rapid.SliceOfN(text, 0, 4)
	check := func(rt *rapid.T) {
		want := directory.Write{At: rapid.Int64().Draw(rt, "at"), Family: text.Draw(rt, "family"), Kind: directory.WriteKind(text.Draw(rt, "kind"))}
		if key := texts.Draw(rt, "key"); len(key) > 0 {
			want.Key = key
		}
		for range rapid.IntRange(0, 3).Draw(rt, "values") {
			v := directory.Value{Column: text.Draw(rt, "column")}
			if values := texts.Draw(rt, "texts"); len(values) > 0 {
				v.Values = values
			}
			want.Values = append(want.Values, v)
		}
		got, err := parseEntry(string(appendEntry(nil, want)))
		if err != nil || !reflect.DeepEqual(got, want) {
			rt.Fatalf("%v, want %v (%v)", got, want, err)
		}
	}
	rapid.Check(t, check)
}

func TestABrokenEntryIsAnError(t *testing.T) {
	f := func(body string) {
		t.Helper()
		if w, err := parseEntry(body); err == nil {
			t.Errorf("%s: %v", body, w)
		}
	}
	f(``)
	f(`[]`)
	f(`["put","1","ps_contacts"]`)
	f(`["put","x","ps_contacts","0"]`)
	f(`["put","1","ps_contacts","1"]`)
	f(`["put","1","ps_contacts","-1","a"]`)
	f(`["put","1","ps_contacts","1","a","uri"]`)
	f(`["put","1","ps_contacts","1","a","uri","2","x"]`)
	f(`["put","1","ps_contacts","9999999999999999999","a"]`)
}
