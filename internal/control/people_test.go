package control

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/failure"
	"asterism/internal/store"
)

// newPeople gives people with an empty store of their own.
func newPeople(t *testing.T) *People {
	t.Helper()
	file, err := initialised()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "asterism.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), "sqlite:"+path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &People{Store: s}
}

// initialised is the file that store.Init makes, once for all tests, which would
// spend most of their time on it.
var initialised = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "asterism")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "asterism.db")
	s, err := store.Init(context.Background(), "sqlite:"+path, store.Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// texts reads "column=text" pairs.
func texts(pairs ...string) []store.Text {
	out := make([]store.Text, len(pairs))
	for i, pair := range pairs {
		out[i].Column, out[i].Text, _ = strings.Cut(pair, "=")
	}
	return out
}

func (p *People) mustSet(t *testing.T, name, key string, pairs ...string) {
	t.Helper()
	if err := p.Set(t.Context(), name, key, texts(pairs...)); err != nil {
		t.Fatal(err)
	}
}

// got gives a row as "column=text" pairs joined by blanks.
func (p *People) got(t *testing.T, name, key string) string {
	t.Helper()
	found, err := p.Get(t.Context(), name, key)
	if err != nil {
		return string(failure.KindOf(err))
	}
	return joinTexts(found)
}

func joinTexts(row []store.Text) string {
	pairs := make([]string, len(row))
	for i, text := range row {
		pairs[i] = text.Column + "=" + text.Text
	}
	return strings.Join(pairs, " ")
}

func TestSetCreatesAndChangesAndClears(t *testing.T) {
	p := newPeople(t)
	p.mustSet(t, "ps_endpoints", "6001", "allow=ulaw", "disallow=all", "context=phones")
	if got, want := p.got(t, "ps_endpoints", "6001"), "id=6001 context=phones disallow=all allow=ulaw"; got != want {
		t.Errorf("created: %s, want %s", got, want)
	}
	p.mustSet(t, "ps_endpoints", "6001", "id=6001", "allow=alaw", "context=")
	if got, want := p.got(t, "ps_endpoints", "6001"), "id=6001 disallow=all allow=alaw"; got != want {
		t.Errorf("changed: %s, want %s", got, want)
	}
}

func TestKeysAreTypedAsPeopleDo(t *testing.T) {
	p := newPeople(t)
	f := func(name, key, pair, want string) {
		t.Helper()
		p.mustSet(t, name, key, pair)
		if got := p.got(t, name, key); got != want {
			t.Errorf("%s %s: %s, want %s", name, key, got, want)
		}
	}
	f("numbers", "+14155550100", "codecs=ulaw", "number=+14155550100 codecs=ulaw")
	f("numbers", "acme,+14155550100", "codecs=g722", "tenant=acme number=+14155550100 codecs=g722")
	f("ps_contacts", "6001;@c4fa", "uri=sip:6001@192.0.2.7", "id=6001^3B@c4fa uri=sip:6001@192.0.2.7")
	f("acls", "a%2Cb,1", "rule=x", "name=a,b rule_order=1 rule=x")
	f("iaxpeers", "trunk", "host=192.0.2.1", "id=1 name=trunk host=192.0.2.1")
}

func TestSetRefusesAllThatIsWrongAtOnce(t *testing.T) {
	p := newPeople(t)
	f := func(name, key string, pairs []string, want ...string) {
		t.Helper()
		err := p.Set(t.Context(), name, key, texts(pairs...))
		var faults Faults
		if !errors.As(err, &faults) {
			t.Fatalf("%s %s: %v", name, key, err)
		}
		var fields []string
		for _, fault := range faults {
			fields = append(fields, fault.Field+" "+fault.Hint)
		}
		if diff := cmp.Diff(want, fields); diff != "" {
			t.Errorf("%s %s: %s\n%v", name, key, diff, err)
		}
		if got := p.got(t, name, key); got != string(failure.Absent) {
			t.Errorf("%s %s was written: %s", name, key, got)
		}
	}
	f("ps_endpoints", "6001", []string{"rtp_symmetric=maybe", "cos_audio=x", "callerrid=1", "context=a", "context=b"},
		"rtp_symmetric ", "cos_audio ", "callerrid did you mean callerid?", "context ")
	f("ps_endpoints", "6001", []string{"id=6002"}, "id ")
	f("numbers", "", []string{"codecs=\xff", "zzzzzzzzzz=1"}, "number ", "codecs ",
		"zzzzzzzzzz its columns are tenant, number, codecs, destination, enabled, note")
	f("extensions", "a,b,one", []string{"app=x"}, "priority ")
}

func TestUnknownFamilyNamesTheNearest(t *testing.T) {
	p := newPeople(t)
	_, err := p.Get(t.Context(), "ps_endpoint", "6001")
	var e *failure.Error
	if !errors.As(err, &e) || e.Kind != failure.Unknown || e.Hint != "did you mean ps_endpoints?" {
		t.Errorf("%v", err)
	}
}

func TestDeleteTellsOfWhatIsAbsent(t *testing.T) {
	p := newPeople(t)
	p.mustSet(t, "ps_aors", "6001", "max_contacts=2")
	if err := p.Delete(t.Context(), "ps_aors", "6001"); err != nil {
		t.Error(err)
	}
	if err := p.Delete(t.Context(), "ps_aors", "6001"); failure.KindOf(err) != failure.Absent {
		t.Errorf("a second time: %v", err)
	}
	if err := p.Delete(t.Context(), "cdr", "1"); failure.KindOf(err) != failure.Invalid {
		t.Errorf("of a log: %v", err)
	}
}

func TestRowsThatShareAKeyAreChangedTogether(t *testing.T) {
	p := newPeople(t)
	const file = "rule_name,time,min_penalty,max_penalty\nr,0,1,2\nr,30,2,4\n"
	for range 2 { // the second time changes nothing
		if _, err := p.Load(t.Context(), "queue_rules", strings.NewReader(file), LoadOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	p.mustSet(t, "queue_rules", "r", "max_penalty=9")
	rows, err := p.Rows(t.Context(), "queue_rules", "r")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, joinTexts(row))
	}
	want := []string{"rule_name=r time=0 min_penalty=1 max_penalty=9", "rule_name=r time=30 min_penalty=2 max_penalty=9"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestListFiltersAndEnds(t *testing.T) {
	p := newPeople(t)
	p.mustSet(t, "ps_endpoints", "a", "context=x", "100rel=yes")
	p.mustSet(t, "ps_endpoints", "b", "context=x")
	p.mustSet(t, "ps_endpoints", "c", "context=y")
	f := func(limit int, conditions []store.Text, want string) {
		t.Helper()
		var ids []string
		err := p.List(t.Context(), "ps_endpoints", conditions, limit, func(row []store.Text) error {
			ids = append(ids, row[0].Text)
			return nil
		})
		if got := strings.Join(ids, " "); err != nil || got != want {
			t.Errorf("%v: %q, want %q, %v", conditions, got, want, err)
		}
	}
	f(0, nil, "a b c")
	f(2, nil, "a b")
	f(0, texts("context=x"), "a b")
	f(0, texts("context=x", "100rel="), "b")
	f(0, texts("context=none"), "")
	err := p.List(t.Context(), "ps_endpoints", texts("contxt=x"), 0, nil)
	if err == nil || !strings.Contains(err.Error(), "did you mean context?") {
		t.Errorf("a misspelled column: %v", err)
	}
	stop := errors.New("stop")
	if err := p.List(t.Context(), "ps_endpoints", nil, 0, func([]store.Text) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of the reader: %v", err)
	}
}

func TestLookupAsksTheTenantThenTheSharedOne(t *testing.T) {
	p := newPeople(t)
	p.mustSet(t, "numbers", "1", "codecs=ulaw,alaw")
	p.mustSet(t, "numbers", "acme,1", "codecs=g722")
	p.mustSet(t, "numbers", "2", "codecs=ulaw", "enabled=no")
	f := func(tenant, digits, want string) {
		t.Helper()
		got, err := p.Lookup(t.Context(), tenant, digits)
		if got != want || (want == "") != (failure.KindOf(err) == failure.Absent && err != nil) {
			t.Errorf("%s %s: %q, want %q, %v", tenant, digits, got, want, err)
		}
	}
	f("", "1", "ulaw,alaw")
	f("acme", "1", "g722")
	f("other", "1", "ulaw,alaw")
	f("", "2", "")
	f("", "3", "")
	f("", "", "")
}

func TestWaitPublishedGivesUpAfterTwoSeconds(t *testing.T) {
	p := &People{}
	if err := p.WaitPublished(t.Context()); err != nil {
		t.Errorf("nobody serves: %v", err)
	}
	p.Published = func(ctx context.Context) error {
		if left, ok := ctx.Deadline(); !ok || time.Until(left) > publishedWithin {
			t.Error("no deadline")
		}
		return nil
	}
	if err := p.WaitPublished(t.Context()); err != nil {
		t.Error(err)
	}
}
